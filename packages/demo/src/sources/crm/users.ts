import { createPerson, emailOf } from '../../company/people.ts'
import { numbersTo } from '../../numbers-to.ts'
import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, LAST_EVENT, OPENED, timestamp } from '../../time.ts'
import { audit, AUDIT_COLUMNS, recordId, USERS, yesNo } from './records.ts'
import { appendVersions, someTime, STITCH_COLUMNS } from './stitch.ts'

const TITLES = [
  'Account Executive',
  'Account Executive',
  'Wholesale Manager',
  'Sales Development',
  'Support Lead',
]

export function users(): RawTable {
  const random = createRandom('crm.users')
  return defineTable({
    name: 'users',
    key: ['id'],
    columns: {
      id: 'varchar not null',
      username: 'varchar not null',
      firstname: 'varchar',
      lastname: 'varchar',
      email: 'varchar',
      title: 'varchar',
      managerid: 'varchar',
      isactive: "varchar not null check (isactive in ('Y', 'N'))",
      timezonesidkey: 'varchar',
      lastlogindate: 'timestamptz',
      ...AUDIT_COLUMNS,
      ...STITCH_COLUMNS,
    },
    rows: numbersTo(USERS).flatMap((number) => {
      const person = createPerson(random)
      const email = emailOf(person, number, 'northlight.example')
      const createdAt = someTime(OPENED, OPENED + 200 * DAY, random)
      const title = number === 1 ? 'Head of Wholesale' : random.pick(TITLES)
      const hasLeft = number % 11 === 0
      return appendVersions({ createdAt, changes: 3, isDeleted: false }, random, (version) => ({
        id: recordId('user', number),
        username: email,
        firstname: person.firstName,
        lastname: person.lastName,
        email,
        title,
        managerid: number === 1 ? null : recordId('user', 1 + (number % 3)),
        isactive: yesNo(!(hasLeft && version.isLast)),
        timezonesidkey: person.place.country === 'CA' ? 'America/Vancouver' : 'America/Chicago',
        lastlogindate: timestamp(Math.min(version.at + DAY, LAST_EVENT)),
        ...audit(version, { createdAt, owner: recordId('user', 1) }),
      }))
    }),
  })
}
