import {createMachine} from 'xstate';

/** A checkout: a payment may fail and be tried again. */
export const checkoutMachine = createMachine({
  id: 'checkout',
  initial: 'cart',
  states: {
    cart: {on: {'checkout.started': 'paying'}},
    paying: {on: {'payment.done': 'paid', 'payment.failed': 'cart'}},
    paid: {type: 'final'},
  },
});
