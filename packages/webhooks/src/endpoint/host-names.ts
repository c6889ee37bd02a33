/**
 * Ends of names that mean something only inside a network, whatever they resolve to.
 *
 * @see https://www.iana.org/assignments/special-use-domain-names
 * @see https://www.rfc-editor.org/rfc/rfc6762#appendix-G
 * @see https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/
 */
export const LOCAL_SUFFIXES: readonly string[] = [
  'cluster.local',
  'corp',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
  'svc',
  'test',
]

/** Ends of names that the DNS of nobody has. */
export const UNRESOLVABLE_SUFFIXES: readonly string[] = ['alt', 'invalid', 'onion']

/** Names of metadata services, which stay closed where local names are open. */
export const METADATA_NAMES: readonly string[] = [
  'metadata',
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]
