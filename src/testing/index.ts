/** What connector packages test themselves with: `cdp-service/testing`. */
export {
  connectorContract,
  type ContractCheck,
  type ContractOptions,
  sampleBatch,
} from './connector-contract';
export { type Behaviour, type RecordedRequest, RecordingServer } from './recording-server';
export { type SampleEvent, sampleEvents } from './sample-events';
export { type TestContext, testContext } from './test-context';
