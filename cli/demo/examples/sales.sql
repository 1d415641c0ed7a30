CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), order_date TEXT, amount REAL);
INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy');
INSERT INTO orders (customer_id, order_date, amount)
VALUES (1, '2026-01-02', 12.5), (2, '2026-02-03', 30), (2, '2026-03-04', 7.25);
