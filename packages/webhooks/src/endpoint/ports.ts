/** A port, or the first and last port of a range. */
export type PortRange = number | readonly [first: number, last: number]

/** The ports that are allowed by default; port 80 is allowed for `http:`. */
export const DEFAULT_PORTS: readonly PortRange[] = [443, [1024, 65_535]]

/**
 * Ports inside `DEFAULT_PORTS` on which other services listen.
 *
 * @see https://fetch.spec.whatwg.org/#port-blocking for the first rows
 * @see https://www.iana.org/assignments/service-names-port-numbers for the others
 */
export const SERVICE_PORTS: readonly PortRange[] = [
  [1719, 1723], // H.323, PPTP
  2049, // NFS
  3659, // Apple SASL
  4045, // NFS locks
  4190, // ManageSieve
  [5060, 5061], // SIP
  6000, // X11
  6566, // SANE
  [6665, 6669], // IRC
  6679, // IRC
  6697, // IRC
  10_080, // Amanda
  1433, // SQL Server
  1521, // Oracle
  [2375, 2377], // Docker
  [2379, 2380], // etcd
  3306, // MySQL
  3389, // RDP
  5432, // PostgreSQL
  [5671, 5672], // AMQP
  5900, // VNC
  5984, // CouchDB
  [5985, 5986], // WinRM
  6379, // Redis
  6443, // Kubernetes
  9042, // Cassandra
  9092, // Kafka
  9200, // Elasticsearch
  9300, // Elasticsearch
  [10_250, 10_255], // kubelet
  11_211, // memcached
  26_379, // Redis Sentinel
  [27_017, 27_019], // MongoDB
]

export function hasPort(ranges: readonly PortRange[], port: number): boolean {
  return ranges.some((range) => {
    const [first, last] = typeof range === 'number' ? [range, range] : range
    return port >= first && port <= last
  })
}
