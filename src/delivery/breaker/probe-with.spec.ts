import { probeWith } from './probe-with';

describe('probeWith', () => {
  it('goes on to what can be sent, past a hundred that cannot', async () => {
    const probe = async (unsent: number): Promise<{ found: string; tried: number }> => {
      let tried = 0;
      const found = await probeWith({
        claim: async () => (tried += 1),
        hasPending: async () => true,
        attempt: async (claimed) => (claimed <= unsent ? 'unsent' : 'works'),
      });
      return { found, tried };
    };
    expect(await probe(99)).toEqual({ found: 'works', tried: 100 });
    expect(await probe(200)).toEqual({ found: 'down', tried: 100 });
  });
});
