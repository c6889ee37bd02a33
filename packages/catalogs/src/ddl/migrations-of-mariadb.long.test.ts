import type { CatalogTable } from '@stagecraft/spec'
import { createConnection } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { describeWithServer, mysqlServer } from '../../../../test/servers.ts'
import { randomOf } from '../../../../test/random.ts'
import { mysql } from '../mysql/index.ts'
import { readSchema } from './read-schema.ts'

const server = await mysqlServer()

const MINUTE = 60_000

/** Makes one statement up; most of them fail, because what they name is not there. */
function makeStatement(random: (below: number) => number): string {
  const pick = (...texts: readonly string[]): string => texts[random(texts.length)] ?? ''
  const table = (): string => `t${random(4)}`
  const column = (): string => `c${random(5)}`
  const name = (): string => `k${random(8)}`
  const anyType = (): string =>
    pick('int', 'varchar(20)', 'decimal(10,2)', 'bigint unsigned', 'date', "enum('a','b')", 'tinyint(1)')
  const place = (): string => pick('', 'first', `after ${column()}`)
  return pick(
    `create table ${table()} (c0 int ${pick('primary key', 'not null', 'unique')}, c1 ${anyType()}, c2 varchar(20) ${pick("comment 'said'", '')}, constraint ${name()} unique (c0, c2))`,
    `create table ${table()} (c0 bigint, c1 int, c3 varchar(30), ${pick('primary key (c0, c1)', 'unique key (c1)')})`,
    `create table ${table()} (c0 int primary key, c4 int, foreign key (c4) references ${table()} (c0))`,
    `create table ${table()} like ${table()}`,
    `alter table ${table()} add column ${column()} ${anyType()} ${pick('', 'not null', 'unique')} ${place()}`,
    `alter table ${table()} drop column ${column()}`,
    `alter table ${table()} modify ${column()} ${anyType()} ${pick('', 'not null', "comment 'it''s'")} ${place()}`,
    `alter table ${table()} change ${column()} ${column()} ${anyType()} ${pick('', 'not null')}`,
    `alter table ${table()} rename column ${column()} to ${column()}`,
    `alter table ${table()} drop primary key`,
    `alter table ${table()} add primary key (${column()})`,
    `alter table ${table()} add unique ${pick('', name())} (${column()}${pick('', `, ${column()}`)})`,
    `alter table ${table()} add constraint ${name()} foreign key (${column()}) references ${table()} (${column()})`,
    `alter table ${table()} drop foreign key ${pick(name(), `${table()}_ibfk_1`)}`,
    `alter table ${table()} drop index ${pick(name(), column())}`,
    `alter table ${table()} rename index ${name()} to ${name()}`,
    `alter table ${table()} rename to ${table()}`,
    `alter table ${table()} comment = '${pick('said', '', 'more')}'`,
    `rename table ${table()} to ${table()}`,
    `create unique index ${name()} on ${table()} (${column()})`,
    `drop index ${name()} on ${table()}`,
    `drop table ${table()}`,
  )
}

/** A table without what the two ways of reading spell apart. */
function plain({ columns, foreignKeys = [], primaryKey, uniqueKeys = [], ...table }: CatalogTable): unknown {
  const sorted = (texts: readonly unknown[]): readonly string[] =>
    texts.map((one) => JSON.stringify(one)).toSorted()
  const references = foreignKeys.map(({ columns: own, references: { columns: others, table: parent } }) => [
    own,
    parent.name,
    others,
  ])
  return {
    name: table.name,
    comment: table.comment,
    primaryKey,
    uniqueKeys: [...new Set(sorted(uniqueKeys))],
    foreignKeys: [...new Set(sorted(references))],
    columns: columns.map(({ comment, name, nullable, type, values }) => ({
      name,
      comment,
      nullable,
      values,
      type: type
        .toLowerCase()
        .replace(/^(int|bigint|date)\(\d+\)/, '$1')
        .replaceAll(' ', ''),
    })),
  }
}

function plainTables(tables: readonly CatalogTable[]): readonly unknown[] {
  return tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((table) => plain(table))
}

describeWithServer('MariaDB', server, () => {
  test.each([1, 2, 5, 6])(
    'has the result of its migrations, for seed %i',
    async (seed) => {
      const database = `stagecraft_${crypto.randomUUID().slice(0, 8)}`
      const admin = await createConnection({ uri: server.url })
      await admin.query(`create database ${database} default character set utf8mb4`)
      const uri = Object.assign(new URL(server.url), { pathname: `/${database}` }).href
      const client = await createConnection({ uri })
      try {
        const random = randomOf(seed)
        const done: string[] = []
        for (let tries = 0; tries < 6000 && done.length < 400; tries++) {
          const statement = makeStatement(random)
          const isDone = await client.query(statement).then(
            () => true,
            () => false,
          )
          if (isDone) done.push(statement)
        }
        const live = await mysql({ connectionString: uri })
        const tables = await live.tables({}).finally(() => live.close())
        const files = done.map((sql, index) => ({ name: `${index}.sql`, sql }))
        const read = readSchema(files, { dialect: 'mysql' })
        expect(read.faults).toEqual([])
        expect(done.length).toBe(400)
        expect(plainTables(read.tables)).toEqual(plainTables(tables))
      } finally {
        await client.end()
        await admin.query(`drop database ${database}`)
        await admin.end()
      }
    },
    5 * MINUTE,
  )
})
