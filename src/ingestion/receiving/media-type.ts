/** Bodies that are really something else than JSON. Everything else is taken for JSON, as SDKs label it anyhow. */
const NOT_JSON =
  /^(?:multipart\/|image\/|audio\/|video\/|font\/|text\/html|application\/(?:octet-stream|pdf|zip|xml|x-protobuf|x-msgpack|msgpack))|^text\/xml|\+xml/i;

/** Whether a body with this Content-Type is to be read as JSON. */
export function isTakenForJson(contentType: string | undefined): boolean {
  return contentType === undefined || !NOT_JSON.test(contentType.trim());
}
