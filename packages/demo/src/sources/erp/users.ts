import type { Company } from '../../company/company.ts'
import { createPerson, emailOf } from '../../company/people.ts'
import { STORES } from '../../company/places.ts'
import { groupsOf } from '../../company/products.ts'
import { numbersTo } from '../../numbers-to.ts'
import { createRandom, type Random } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, LAST_EVENT, MINUTE, OPENED, timestamp } from '../../time.ts'
import { blobText } from './items.ts'

export const USERS = 36

export function users(): RawTable {
  const random = createRandom('erp.user')
  return defineTable({
    name: 'user',
    key: ['id'],
    comment: 'Employees who may sign in; others are in the payroll system',
    refersToItself: true,
    columns: {
      id: 'integer',
      login: 'varchar not null unique',
      'e-mail': 'varchar not null unique',
      firstName: 'varchar not null',
      lastName: 'varchar not null',
      role: 'erp.user_role not null',
      managerId: 'integer references erp."user" (id)',
      site: 'varchar references erp.sites (code)',
      '2fa_enabled': 'boolean not null',
      'hired on': 'date not null',
      'left on': 'date',
      starts: 'time',
      'weekly hours': 'interval',
      badge: 'uuid not null unique',
      settings: 'json',
      photo: 'blob',
      lastLogin: 'timestamptz',
    },
    constraints: ['check ("left on" is null or "left on" > "hired on")'],
    comments: {
      '2fa_enabled': 'yes: signs in with a second factor',
      managerId: 'null: reports to the board',
      settings: 'e.g. {"theme": "dark"}',
      photo: 'PNG, 64 x 64; may be empty',
    },
    rows: numbersTo(USERS).map((id) => userRow(id, random)),
  })
}

function userRow(id: number, random: Random) {
  const person = createPerson(random)
  const hired = OPENED - random.integer(0, 60) * DAY + id * DAY
  return {
    id,
    login: `nl${1000 + id}`,
    'e-mail': emailOf(person, id, 'northlight.example'),
    firstName: person.firstName,
    lastName: person.lastName,
    role: id === 1 ? 'admin' : random.pick(['buyer', 'planner', 'store manager', 'store manager']),
    managerId: id === 1 ? null : Math.ceil(id / 6),
    site: id < 4 ? null : random.pick(STORES).code,
    '2fa_enabled': id % 3 !== 0,
    'hired on': day(hired),
    'left on': id % 12 === 0 ? day(hired + 300 * DAY) : null,
    starts: random.pick(['06:00:00', '08:30:00', '09:15:00']),
    'weekly hours': random.pick(['40 hours', '37 hours 30 minutes', '20 hours']),
    badge: random.uuid(),
    settings: { theme: random.pick(['dark', 'light']), columns: ['sku', 'on hand'], 'rows per page': 50 },
    photo: id % 4 === 0 ? blobText(`89504e470d0a1a0a${random.hex(24)}`) : null,
    lastLogin: id % 12 === 0 ? null : timestamp(LAST_EVENT - random.integer(0, 20 * 24 * 60) * MINUTE),
  }
}

/** Creates the assignments of users to groups of items. */
export function userGroups({ products }: Company): RawTable {
  const pairs = groupsOf(products).flatMap((group, index) => [
    { group, id: 2 + (index % 10), isDeputy: false },
    { group, id: 14 + index, isDeputy: true },
  ])
  return defineTable({
    name: 'user_groups',
    key: ['user', 'group'],
    columns: {
      user: 'integer not null references erp."user" (id)',
      group: 'varchar not null references erp."Group" (code)',
      'is deputy': "char not null check (\"is deputy\" in ('Y', 'N'))",
    },
    rows: pairs.map(({ group, id, isDeputy }) => ({ user: id, group, 'is deputy': isDeputy ? 'Y' : 'N' })),
  })
}
