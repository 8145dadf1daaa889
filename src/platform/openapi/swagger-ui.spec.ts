import { EXAMPLE_IDS } from './example-ids';
import { SWAGGER_UI_FUNCTIONS } from './swagger-ui';

const EXISTING = '01a23057-8931-78e1-9e15-5262b3c0ce3e';
/** The user and the group are those of the examples; the address is filled in before anything exists. */
const { user: _, group: __, destinationUrl: ___, ...ids } = EXAMPLE_IDS;
const standIns = Object.values(ids);

describe('the requests of Swagger UI', () => {
  beforeEach(() => {
    const found = { 'x-existing-examples': standIns.map((example) => [example, EXISTING]) };
    jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(found));
  });
  afterEach(() => jest.restoreAllMocks());

  it.each(standIns)('name what exists by now instead of %s', async (example) => {
    const url = `http://localhost:3000/things/${example}`;
    const body = JSON.stringify({ thingId: example });
    const sent = await SWAGGER_UI_FUNCTIONS.requestInterceptor({ url, headers: {}, body });
    expect(sent).toMatchObject({
      url: `http://localhost:3000/things/${EXISTING}`,
      body: `{"thingId":"${EXISTING}"}`,
    });
  });
});
