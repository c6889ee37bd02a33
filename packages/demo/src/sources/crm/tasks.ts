import { numbersTo } from '../../numbers-to.ts'
import { createRandom, type Random } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, LAST_EVENT, OPENED } from '../../time.ts'
import { audit, AUDIT_COLUMNS, CONTACTS, OPPORTUNITIES, recordId, someUser, TASKS, yesNo } from './records.ts'
import { appendVersions, someTime, STITCH_COLUMNS } from './stitch.ts'

const SUBJECTS = ['Call back', 'Send samples', 'Send price list', 'Check credit', 'Book a visit', 'Follow up']
const STATUSES = ['Not Started', 'In Progress', 'Completed'] as const

export function tasks(): RawTable {
  const random = createRandom('crm.tasks')
  return defineTable({
    name: 'tasks',
    key: ['id'],
    columns: {
      id: 'varchar not null',
      whoid: 'varchar',
      whatid: 'varchar',
      subject: 'varchar',
      status: "varchar not null check (status in ('Not Started', 'In Progress', 'Completed'))",
      priority: "varchar check (priority in ('Low', 'Normal', 'High'))",
      activitydate: 'date',
      isclosed: "varchar not null check (isclosed in ('Y', 'N'))",
      ishighpriority: 'integer not null check (ishighpriority in (0, 1))',
      description: 'varchar',
      ownerid: 'varchar',
      ...AUDIT_COLUMNS,
      ...STITCH_COLUMNS,
    },
    rows: numbersTo(TASKS).flatMap((number) => taskVersions(number, random)),
  })
}

function taskVersions(number: number, random: Random) {
  const createdAt = someTime(OPENED, LAST_EVENT - 5 * DAY, random)
  const [contact, opportunity] = [random.integer(1, CONTACTS), random.integer(1, OPPORTUNITIES)]
  const [subject, priority] = [random.pick(SUBJECTS), random.pick(['Low', 'Normal', 'Normal', 'High'])]
  const ownerid = someUser(random)
  const isDeleted = random.chance(0.04)
  return appendVersions({ createdAt, changes: random.integer(0, 2), isDeleted }, random, (version) => {
    const status = STATUSES[version.number] ?? 'Completed'
    return {
      id: recordId('task', number),
      whoid: recordId('contact', contact),
      whatid: number % 5 === 0 ? null : recordId('opportunity', opportunity),
      subject,
      status,
      priority,
      activitydate: day(createdAt + 7 * DAY),
      isclosed: yesNo(status === 'Completed'),
      ishighpriority: priority === 'High' ? 1 : 0,
      description: number % 6 === 0 ? 'Asked for:\n- net 30\n- samples in size "M"' : null,
      ownerid,
      ...audit(version, { createdAt, owner: ownerid, isInBin: number % 50 === 0 }),
    }
  })
}
