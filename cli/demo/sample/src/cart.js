/** The price of everything in the cart, in cents. Each line has a price and a quantity. */
export function total(lines) {
  return lines.reduce((sum, line) => sum + line.price, 0);
}

/** The total after a discount in percent, rounded to whole cents. */
export function discounted(lines, percent) {
  return Math.round(total(lines) * (1 - percent / 100));
}
