import { numbersTo } from '../../numbers-to.ts'
import { createRandom, type Random } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, LAST_EVENT, OPENED } from '../../time.ts'
import { ACCOUNTS, audit, AUDIT_COLUMNS, OPPORTUNITIES, recordId, someUser, yesNo } from './records.ts'
import { appendVersions, someTime, STITCH_COLUMNS } from './stitch.ts'

const STAGES = ['Prospecting', 'Qualification', 'Proposal', 'Negotiation'] as const
const PROBABILITIES = [10, 25, 50, 75]
const SUBJECTS = ['Spring order', 'Winter restock', 'Rental fleet', 'Staff uniforms', 'Trade-in program']

export function opportunities(): RawTable {
  const random = createRandom('crm.opportunities')
  return defineTable({
    name: 'opportunities',
    key: ['id'],
    columns: {
      id: 'varchar not null',
      accountid: 'varchar',
      name: 'varchar not null',
      stagename:
        "varchar not null check (stagename in ('Prospecting', 'Qualification', 'Proposal', 'Negotiation', 'Closed Won', 'Closed Lost'))",
      amount: 'decimal(18, 2)',
      probability: 'double',
      closedate: 'date not null',
      isclosed: "varchar not null check (isclosed in ('Y', 'N'))",
      iswon: 'smallint not null check (iswon in (0, 1))',
      leadsource: 'varchar',
      nextstep: 'varchar',
      ownerid: 'varchar',
      ...AUDIT_COLUMNS,
      ...STITCH_COLUMNS,
    },
    rows: numbersTo(OPPORTUNITIES).flatMap((number) => opportunityVersions(number, random)),
  })
}

function opportunityVersions(number: number, random: Random) {
  const createdAt = someTime(OPENED, LAST_EVENT - 10 * DAY, random)
  const changes = random.integer(0, STAGES.length)
  const wins = random.chance(0.55)
  const [subject, amount] = [random.pick(SUBJECTS), random.integer(8, 480) * 250]
  const [accountid, ownerid] = [recordId('account', random.integer(1, ACCOUNTS)), someUser(random)]
  const source = random.pick(['Web', 'Trade Show', 'Referral', 'Partner', null])
  const isDeleted = random.chance(0.03)
  return appendVersions({ createdAt, changes, isDeleted }, random, (version) => ({
    id: recordId('opportunity', number),
    accountid,
    name: `${subject} ${number}`,
    amount: amount + version.number * 125,
    ...progress(version.number, wins),
    closedate: day(createdAt + (60 + version.number * 7) * DAY),
    leadsource: source,
    nextstep: version.number === 2 ? 'Send quote: 10% off, "net 30"' : null,
    ownerid,
    ...audit(version, { createdAt, owner: ownerid }),
  }))
}

/** Moves one stage further with every change, to the end. */
function progress(changes: number, wins: boolean) {
  const stage = STAGES[changes]
  const isWon = stage === undefined && wins
  return {
    stagename: stage ?? (wins ? 'Closed Won' : 'Closed Lost'),
    probability: PROBABILITIES[changes] ?? (wins ? 100 : 0),
    isclosed: yesNo(stage === undefined),
    iswon: isWon ? 1 : 0,
  }
}
