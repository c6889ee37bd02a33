// The messages of TDS 7.4 in bytes; numbers are those of the sections of [MS-TDS].

export type SqlType =
  | 'bit'
  | 'tinyint'
  | 'smallint'
  | 'int'
  | 'bigint'
  | 'varchar'
  | 'nvarchar'
  | 'nvarchar(max)'

/** The outcome of a statement. */
export type Outcome =
  | {
      readonly columns: readonly (readonly [name: string, type: SqlType])[]
      readonly rows: readonly (readonly unknown[])[]
    }
  | { readonly error: ServerError }
  | 'never ends'

export interface ServerError {
  readonly number: number
  readonly message: string
}

/** A statement that came, with the parameters of sp_executesql. */
export interface Asked {
  readonly text: string
  readonly parameters: Readonly<Record<string, string>>
}

export interface Login {
  readonly user: string
  readonly password: string
  readonly database: string
  readonly application: string
}

/** A whole number, the lowest byte first. */
export function integer(value: number | bigint, size: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value))
  return Buffer.from(bytes.subarray(0, size))
}

/** Text with the number of its characters before it, in 1 (B_VARCHAR) or 2 (US_VARCHAR) bytes. */
function counted(text: string, size: 1 | 2): Buffer {
  return Buffer.concat([integer(text.length, size), Buffer.from(text, 'utf16le')])
}

/** A token with the number of its bytes after its first byte. */
function sized(token: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([token]), integer(body.length, 2), body])
}

/** SQL_Latin1_General_CP1_CI_AS */
const COLLATION = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34])
/** 2.2.7.9, the types of changes */
const CHANGE = { database: 1, packetSize: 4, collation: 7, begin: 8, rollback: 10 } as const
/** 2.2.7.6, the bits of the status */
const DONE = { error: 0x2, count: 0x10, attention: 0x20 } as const
const TRANSACTION = Buffer.from([1, 0, 0, 0, 0x33, 0, 0, 0])

const change = {
  text: (type: number, to: string, from: string) =>
    sized(0xe3, Buffer.from([type]), counted(to, 1), counted(from, 1)),
  bytes: (type: number, to: Buffer, from: Buffer) =>
    sized(0xe3, Buffer.from([type, to.length]), to, Buffer.from([from.length]), from),
}

function done(
  token: number,
  { isAttention = false, isError = false, rows }: { isAttention?: boolean; isError?: boolean; rows?: number },
): Buffer {
  const status =
    (isError ? DONE.error : 0) | (isAttention ? DONE.attention : 0) | (rows === undefined ? 0 : DONE.count)
  return Buffer.concat([Buffer.from([token]), integer(status, 2), integer(0, 2), integer(rows ?? 0, 8)])
}

const INTEGERS: Readonly<Partial<Record<SqlType, number>>> = { tinyint: 1, smallint: 2, int: 4, bigint: 8 }

/** 2.2.5.4 and 2.2.5.5: INTN, BITN and texts. */
function typeInfo(type: SqlType): Buffer {
  if (type === 'bit') return Buffer.from([0x68, 1])
  if (type === 'varchar') return Buffer.concat([Buffer.from([0xa7]), integer(8000, 2), COLLATION])
  if (type === 'nvarchar') return Buffer.concat([Buffer.from([0xe7]), integer(8000, 2), COLLATION])
  if (type === 'nvarchar(max)') return Buffer.concat([Buffer.from([0xe7]), integer(0xffff, 2), COLLATION])
  return Buffer.from([0x26, INTEGERS[type] ?? 4])
}

/** 2.2.5.2; a text of any length comes in parts, here in one of them, and an empty part ends it. */
function valueOf(type: SqlType, value: unknown): Buffer {
  if (type === 'bit') return Buffer.from([1, value ? 1 : 0])
  if (type === 'varchar' || type === 'nvarchar') {
    const bytes = Buffer.from(String(value), type === 'varchar' ? 'latin1' : 'utf16le')
    return Buffer.concat([integer(bytes.length, 2), bytes])
  }
  if (type === 'nvarchar(max)') {
    const bytes = Buffer.from(String(value), 'utf16le')
    const part = bytes.length === 0 ? [] : [integer(bytes.length, 4), bytes]
    return Buffer.concat([integer(bytes.length, 8), ...part, integer(0, 4)])
  }
  const size = INTEGERS[type] ?? 4
  return Buffer.concat([Buffer.from([size]), integer(BigInt(String(value)), size)])
}

/** 2.2.7.19 without a null, 2.2.7.13 with a bit for each null. */
function row(types: readonly SqlType[], cells: readonly unknown[]): Buffer {
  const nulls = Buffer.alloc(Math.ceil(types.length / 8))
  for (const [at, cell] of cells.entries())
    if (cell === null) nulls[at >> 3] = (nulls[at >> 3] ?? 0) | (1 << (at & 7))
  const hasNull = cells.includes(null)
  const values = types.flatMap((type, at) => (cells[at] === null ? [] : [valueOf(type, cells[at])]))
  return Buffer.concat([Buffer.from([hasNull ? 0xd2 : 0xd1]), ...(hasNull ? [nulls] : []), ...values])
}

function colmetadata(columns: readonly (readonly [string, SqlType])[]): Buffer {
  const isNullable = 1
  return Buffer.concat([
    Buffer.from([0x81]),
    integer(columns.length, 2),
    ...columns.flatMap(([name, type]) => [
      integer(0, 4),
      integer(isNullable, 2),
      typeInfo(type),
      counted(name, 1),
    ]),
  ])
}

function error({ message, number: code }: ServerError): Buffer {
  const [state, severity] = [1, 14]
  return sized(
    0xaa,
    integer(code, 4),
    Buffer.from([state, severity]),
    counted(message, 2),
    counted('FAKE', 1),
    counted('', 1),
    integer(1, 4),
  )
}

/** What a server sends. */
export const tokens = {
  error,
  done: (state: { isAttention?: boolean; isError?: boolean }) => done(0xfd, state),
  /** 2.2.7.14 LOGINACK, with the changes that come with it. */
  loggedIn: (database: string, packetSize: number) => [
    change.text(CHANGE.database, database, 'master'),
    change.bytes(CHANGE.collation, COLLATION, Buffer.alloc(0)),
    sized(
      0xad,
      Buffer.from([1, 0x74, 0, 0, 4]),
      counted('Microsoft SQL Server', 1),
      Buffer.from([16, 0, 3, 232]),
    ),
    change.text(CHANGE.packetSize, String(packetSize), String(packetSize)),
    done(0xfd, {}),
  ],
  /** The answer to a batch, which is here never a query. */
  batch: () => [done(0xfd, {})],
  /** The answer to sp_executesql. A transaction that its statement begins is told, and so is its end. */
  outcome: (outcome: Exclude<Outcome, 'never ends'>, isInTransaction: boolean): readonly Buffer[] => {
    const status = Buffer.concat([Buffer.from([0x79]), integer(0, 4)])
    const begins = isInTransaction ? [change.bytes(CHANGE.begin, TRANSACTION, Buffer.alloc(0))] : []
    const ends = isInTransaction ? [change.bytes(CHANGE.rollback, Buffer.alloc(0), TRANSACTION)] : []
    if ('error' in outcome)
      return [
        ...begins,
        error(outcome.error),
        done(0xff, { isError: true }),
        ...ends,
        status,
        done(0xfe, { isError: true }),
      ]
    const { columns, rows } = outcome
    const types = columns.map(([, type]) => type)
    return [
      ...begins,
      colmetadata(columns),
      ...rows.map((cells) => row(types, cells)),
      done(0xff, { rows: rows.length }),
      ...ends,
      status,
      done(0xfe, {}),
    ]
  },
}

/** 2.2.6.4: texts are at offsets. Of each byte of a password the halves are swapped, and then changed by 0xA5. */
export function readLogin(message: Buffer): Login {
  const bytesAt = (entry: number): Buffer => {
    const [offset, length] = [message.readUInt16LE(entry), message.readUInt16LE(entry + 2)]
    return Buffer.from(message.subarray(offset, offset + 2 * length))
  }
  const clear = (byte: number): number => (((byte ^ 0xa5) << 4) | ((byte ^ 0xa5) >> 4)) & 255
  return {
    user: bytesAt(40).toString('utf16le'),
    password: Buffer.from(bytesAt(44).map(clear)).toString('utf16le'),
    application: bytesAt(48).toString('utf16le'),
    database: bytesAt(68).toString('utf16le'),
  }
}

/** 2.2.6.6, a call of sp_executesql: its statement, the list of types, and the values. */
export function readRequest(message: Buffer): Asked {
  const start = message.readUInt32LE(0) // the headers before it
  const procedure = message.readUInt16LE(start)
  if (procedure !== 0xffff || message.readUInt16LE(start + 2) !== 10)
    throw new Error('only sp_executesql, by its number 10, is expected')
  const values: [name: string, value: string][] = []
  for (let at = start + 6; at < message.length;) {
    const nameEnd = at + 1 + 2 * message.readUInt8(at)
    const name = message.subarray(at + 1, nameEnd).toString('utf16le')
    const type = nameEnd + 1
    if (message.readUInt8(type) !== 0xe7) throw new Error('only parameters of nvarchar are expected')
    const { end, text } = readNvarchar(message, type + 8, message.readUInt16LE(type + 1) === 0xffff)
    values.push([name, text])
    at = end
  }
  const [statement, , ...parameters] = values
  return {
    text: statement?.[1] ?? '',
    parameters: Object.fromEntries(parameters.map(([name, value]) => [name.replace(/^@/, ''), value])),
  }
}

function readNvarchar(
  message: Buffer,
  start: number,
  isInParts: boolean,
): { readonly text: string; readonly end: number } {
  if (!isInParts) {
    const end = start + 2 + message.readUInt16LE(start)
    return { text: message.subarray(start + 2, end).toString('utf16le'), end }
  }
  const parts: Buffer[] = []
  let at = start + 8 // the whole length
  for (let size = message.readUInt32LE(at); size > 0; size = message.readUInt32LE(at)) {
    parts.push(message.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return { text: Buffer.concat(parts).toString('utf16le'), end: at + 4 }
}
