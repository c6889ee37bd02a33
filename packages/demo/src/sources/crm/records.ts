import type { Random } from '../../random.ts'
import { timestamp } from '../../time.ts'
import type { Version } from './stitch.ts'

export const USERS = 24
export const ACCOUNTS = 140
export const CONTACTS = 320
export const OPPORTUNITIES = 380
export const TASKS = 700

/** The first three characters of an id, by the kind of record. */
const PREFIXES = { user: '005', account: '001', contact: '003', opportunity: '006', task: '00T' } as const

/** Returns an id of 18 characters: `0015g0000000042AAQ`. */
export function recordId(kind: keyof typeof PREFIXES, number: number): string {
  return `${PREFIXES[kind]}5g00000${String(number).padStart(5, '0')}AAQ`
}

/** Returns the id of a random user. */
export function someUser(random: Random): string {
  return recordId('user', random.integer(1, USERS))
}

/** The last columns of every table of the CRM. */
export const AUDIT_COLUMNS = {
  isdeleted: 'smallint not null check (isdeleted in (0, 1))',
  createdbyid: 'varchar',
  createddate: 'timestamptz not null',
  lastmodifiedbyid: 'varchar',
  lastmodifieddate: 'timestamptz not null',
} as const

interface AuditOptions {
  readonly createdAt: number
  readonly owner: string
  /** True for a record in the recycle bin of the CRM. @default false */
  readonly isInBin?: boolean
}

export function audit({ at, isLast }: Version, { createdAt, isInBin = false, owner }: AuditOptions) {
  return {
    isdeleted: isInBin && isLast ? 1 : 0,
    createdbyid: owner,
    createddate: timestamp(createdAt),
    lastmodifiedbyid: isLast ? owner : recordId('user', 1),
    lastmodifieddate: timestamp(at),
  }
}

export function yesNo(value: boolean): 'Y' | 'N' {
  return value ? 'Y' : 'N'
}
