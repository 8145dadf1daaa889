import { valueAt } from './value-at';

const EVENT = {
  type: 'track',
  properties: {
    total: 'x',
    'total.net': 12,
    coupon: null,
    products: [{ price: 1 }, { price: 2, sizes: [[3, 4]] }],
  },
};

describe('the value at the path of a violation', () => {
  it.each([
    ['a member', 'properties.total', 'x'],
    ['a member with a dot in its name', 'properties.total.net', 12],
    ['null', 'properties.coupon', null],
    ['an element', 'properties.products[0]', { price: 1 }],
    ['a member of an element', 'properties.products[1].price', 2],
    ['an element of an element', 'properties.products[1].sizes[0][1]', 4],
    ['the event itself', '', EVENT],
    ['nothing, where it is missing', 'properties.tot', undefined],
    ['nothing, where it would be in a text', 'type.name', undefined],
    ['nothing, where the list is shorter', 'properties.products[2]', undefined],
    ['nothing, where all objects have something', 'properties.toString', undefined],
  ])('is %s', (_, path, expected) => {
    expect(valueAt(EVENT, path)).toEqual(expected);
  });
});
