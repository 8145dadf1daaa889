/** What a connector package imports from `cdp-service/connector`. */
export type {
  Answer,
  BatchConnector,
  BatchLimits,
  Connector,
  ConnectorDeclaration,
  DescribedRequest,
  EventConnector,
  OutboundBatch,
  OutboundEvent,
} from './connector';
export type {
  ConnectorContext,
  ConnectorCursor,
  ConnectorLogger,
  OutboundHttp,
  OutboundRequest,
  OutboundResponse,
  SocketTarget,
  TlsMaterial,
} from './connector-context';
export { type FailureDetails, PermanentDeliveryError, RetryableDeliveryError } from './delivery-error';
export { throwIfFailed } from './throw-if-failed';
