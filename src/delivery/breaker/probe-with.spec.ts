import { probeWith } from './probe-with';

describe('probeWith', () => {
  it('goes on past nine that the receiver refuses, and tries none of them twice', async () => {
    const probe = (refused: number): Promise<string> =>
      probeWith<number>({
        claim: async (tried) => {
          expect(tried).toEqual(Array.from({ length: tried.length }, (_, n) => n));
          return tried.length;
        },
        hasPending: async () => true,
        attempt: async (claimed) => (claimed < refused ? 'refused' : 'delivered'),
      });
    expect(await probe(9)).toBe('delivered');
    expect(await probe(10)).toBe('down');
  });

  it('goes on to what can be sent, past a hundred that cannot', async () => {
    const probe = async (unsent: number): Promise<{ found: string; tried: number }> => {
      let tried = 0;
      const found = await probeWith({
        claim: async () => (tried += 1),
        hasPending: async () => true,
        attempt: async (claimed) => (claimed <= unsent ? 'unsent' : 'delivered'),
      });
      return { found, tried };
    };
    expect(await probe(99)).toEqual({ found: 'delivered', tried: 100 });
    expect(await probe(200)).toEqual({ found: 'down', tried: 100 });
  });
});
