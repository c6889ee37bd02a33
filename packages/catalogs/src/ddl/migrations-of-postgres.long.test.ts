import type { CatalogTable } from '@stagecraft/spec'
import pg from 'pg'
import { expect, test } from 'vitest'
import { randomOf } from '../../../../test/random.ts'
import { describeWithServer, postgresServer } from '../../../../test/servers.ts'
import { postgres } from '../postgres/index.ts'
import { readSchema } from './read-schema.ts'

const server = await postgresServer()

const MINUTE = 60_000

/** Makes one statement up; most of them fail, because what they name is not there. */
function makeStatement(random: (below: number) => number): string {
  const pick = (...texts: readonly string[]): string => texts[random(texts.length)] ?? ''
  const schema = (): string => pick('s1', 's2')
  const table = (): string => `${schema()}.t${random(4)}`
  const column = (): string => `c${random(5)}`
  const name = (): string => `k${random(8)}`
  const type = (): string => `${schema()}.e${random(2)}`
  const anyType = (): string =>
    pick('integer', 'text', 'numeric(10,2)', 'boolean', 'bigint', 'date', 'serial', type())
  const own = (): string =>
    pick(`t${random(4)}_pkey`, `t${random(4)}_${column()}_key`, `t${random(4)}_c1_fkey`, name())
  const rule = (): string =>
    pick(
      `primary key (${column()})`,
      `unique (${column()}, ${column()})`,
      `foreign key (${column()}) references ${table()} (${column()})`,
      `check (${column()} in ('a', 'b', 'c'))`,
    )
  return pick(
    `create table ${table()} (c0 integer ${pick('primary key', 'not null', 'unique')}, c1 ${anyType()}, c2 text ${pick("check (c2 in ('a', 'b'))", '')}, constraint ${name()} unique (c0, c1))`,
    `create table ${table()} (c0 bigint, c1 integer references ${table()} (c0), c3 text, ${pick('primary key (c0, c1)', 'unique (c1)')})`,
    `create table ${table()} (like ${table()} ${pick('', 'including all', 'including indexes', 'including all excluding constraints')})`,
    `create table ${table()} as select c0, c1, c2 from ${table()}`,
    `alter table ${table()} add column ${column()} ${anyType()} ${pick('', 'not null', 'unique')}`,
    `alter table ${table()} add column ${column()} integer, add constraint ${name()} unique (${column()})`,
    `alter table ${table()} drop column ${column()} ${pick('', 'cascade')}`,
    `alter table ${table()} drop constraint ${own()} ${pick('', 'cascade')}`,
    `alter table ${table()} add constraint ${name()} ${rule()}`,
    `alter table ${table()} add ${rule()}`,
    `alter table ${table()} add foreign key (${column()}) references ${table()}`,
    `alter table ${table()} rename column ${column()} to ${column()}`,
    `alter table ${table()} rename to t${random(4)}`,
    `alter table ${table()} rename constraint ${name()} to ${name()}`,
    `alter table ${table()} set schema ${schema()}`,
    `alter table ${table()} alter column ${column()} ${pick('set not null', 'drop not null', 'type text', 'set data type varchar(20)', 'drop default')}`,
    `create unique index ${pick(name(), '')} on ${table()} (${column()}${pick('', `, ${column()}`)})`,
    `drop index ${schema()}.${name()}`,
    `alter index ${schema()}.${name()} rename to ${name()}`,
    `alter table ${table()} add constraint ${name()} ${pick('unique', 'primary key')} using index ${name()}`,
    `drop table ${table()} ${pick('', 'cascade')}`,
    `create type ${type()} as enum ('a', 'b')`,
    `alter type ${type()} add value ${pick('', 'if not exists ')}'${pick('c', 'd', 'e')}' ${pick('', "before 'a'", "after 'a'")}`,
    `alter type ${type()} rename value '${pick('a', 'b', 'c')}' to '${pick('x', 'y', 'z')}'`,
    `alter type ${type()} rename to e${random(2)}`,
    `alter type ${type()} set schema ${schema()}`,
    `drop type ${type()} ${pick('', 'cascade')}`,
    `comment on ${pick(`table ${table()}`, `column ${table()}.${column()}`)} is ${pick("'said'", 'null', "'it''s'")}`,
  )
}

/** A table without what the two ways of reading spell apart. */
function plain({ columns, foreignKeys = [], primaryKey, uniqueKeys = [], ...table }: CatalogTable): unknown {
  const sorted = (texts: readonly unknown[]): readonly string[] =>
    texts.map((one) => JSON.stringify(one)).toSorted()
  return {
    name: `${table.schema}.${table.name}`,
    comment: table.comment,
    primaryKey,
    uniqueKeys: sorted(uniqueKeys),
    foreignKeys: [
      ...new Set(
        sorted(
          foreignKeys.map(({ columns: own, references }) => [
            own,
            references.table.schema ?? table.schema,
            references.table.name,
            references.columns,
          ]),
        ),
      ),
    ],
    columns: columns.map(({ comment, name, nullable, type, values }) => ({
      name,
      comment,
      nullable,
      values,
      type: type.replace(/^varchar/, 'character varying').replace(/^s\d\./, ''),
    })),
  }
}

function plainTables(tables: readonly CatalogTable[]): readonly unknown[] {
  return tables
    .toSorted((a, b) => (`${a.schema}.${a.name}` < `${b.schema}.${b.name}` ? -1 : 1))
    .map((table) => plain(table))
}

describeWithServer('PostgreSQL', server, () => {
  test.each([1, 2, 3, 6])(
    'has the result of its migrations, for seed %i',
    async (seed) => {
      const database = `stagecraft_${crypto.randomUUID().slice(0, 8)}`
      const url = Object.assign(new URL(server.url), { pathname: `/${database}` }).href
      const admin = new pg.Client({ connectionString: server.url })
      await admin.connect()
      await admin.query(`create database ${database}`)
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        const random = randomOf(seed)
        const done = ['create schema s1', 'create schema s2']
        for (const statement of done) await client.query(statement)
        for (let tries = 0; tries < 6000 && done.length < 400; tries++) {
          const statement = makeStatement(random)
          const isDone = await client.query(statement).then(
            () => true,
            () => false,
          )
          if (isDone) done.push(statement)
        }
        const live = await postgres({ connectionString: url })
        const tables = await live.tables({}).finally(() => live.close())
        const files = done.map((sql, index) => ({ name: `${index}.sql`, sql }))
        const read = readSchema(files, { dialect: 'postgres' })
        expect(read.faults).toEqual([])
        expect(done.length).toBe(400)
        expect(plainTables(read.tables)).toEqual(plainTables(tables))
      } finally {
        await client.end()
        await admin.query(`drop database ${database} with (force)`)
        await admin.end()
      }
    },
    5 * MINUTE,
  )
})
