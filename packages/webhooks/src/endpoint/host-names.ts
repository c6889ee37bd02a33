/**
 * Suffixes of names that only mean something inside a network.
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

/** Suffixes that no DNS resolves. */
export const UNRESOLVABLE_SUFFIXES: readonly string[] = ['alt', 'invalid', 'onion']

/** Names of metadata services, which stay forbidden where local names are allowed. */
export const METADATA_NAMES: readonly string[] = [
  'metadata',
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]
