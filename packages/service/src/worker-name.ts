import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Returns a name of this process for people who read the tables: host, process id and a random part. */
export function workerName(): string {
  return `${hostname().slice(0, 40)}:${process.pid}:${randomUUID().slice(0, 8)}`
}
