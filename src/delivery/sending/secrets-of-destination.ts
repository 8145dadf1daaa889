import type { Connector } from '../../connectors/connector';
import { secretsIn } from '../../connectors/secret-fields';
import { SecretMask } from '../../connectors/secret-mask';
import type { ActiveDestination } from '../../destinations/active-destinations';

const masks = new WeakMap<ActiveDestination, SecretMask>();

/**
 * Hides the secrets of a destination, those before too, in what people see of it. Made once for each, since thousands
 * of answers a second may need it.
 */
export function secretMaskOf(destination: ActiveDestination, connector: Connector | undefined): SecretMask {
  let mask = masks.get(destination);
  if (mask === undefined) masks.set(destination, (mask = makeMask(destination, connector)));
  return mask;
}

function makeMask(
  { config, previousSecrets }: ActiveDestination,
  connector: Connector | undefined,
): SecretMask {
  const secrets = secretsIn(config, connector?.secretFields ?? []);
  return new SecretMask([
    ...secrets.map(({ value }) => value),
    ...previousSecrets.map(({ secrets: previous }) => previous),
  ]);
}
