import { createPerson, emailOf } from '../../company/people.ts'
import { numbersTo } from '../../numbers-to.ts'
import { createRandom, type Random } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, LAST_EVENT, OPENED } from '../../time.ts'
import { ACCOUNTS, audit, AUDIT_COLUMNS, CONTACTS, recordId, someUser, yesNo } from './records.ts'
import { appendVersions, someTime, STITCH_COLUMNS } from './stitch.ts'

const FIRST_WORDS = [
  'Bear Creek',
  'Blue Heron',
  'Grand Marais',
  'High Line',
  'Iron Range',
  'Loon Lake',
  'Tamarack',
]
const LAST_WORDS = [
  'Outfitters',
  'Mountain Sports',
  'Canoe & Kayak',
  "Hiker's Supply",
  'Trading Co.',
  'Guides',
]
const INDUSTRIES = ['Retail', 'Retail', 'Hospitality', 'Education', 'Guided Tours', 'Government']
const LEVELS = ['Prospect', 'Customer', 'Customer', 'Partner']

export function accounts(): RawTable {
  const random = createRandom('crm.accounts')
  return defineTable({
    name: 'accounts',
    key: ['id'],
    columns: {
      id: 'varchar not null',
      name: 'varchar not null',
      type: "varchar check (type in ('Prospect', 'Customer', 'Partner'))",
      industry: 'varchar',
      parentid: 'varchar',
      billingcity: 'varchar',
      billingstate: 'varchar',
      billingpostalcode: 'varchar',
      billingcountry: 'varchar',
      website: 'varchar',
      annualrevenue: 'decimal(18, 2)',
      numberofemployees: 'integer',
      ispartner: "varchar not null check (ispartner in ('Y', 'N'))",
      ownerid: 'varchar',
      ...AUDIT_COLUMNS,
      ...STITCH_COLUMNS,
    },
    rows: numbersTo(ACCOUNTS).flatMap((number) => accountVersions(number, random)),
  })
}

function accountVersions(number: number, random: Random) {
  const { place } = createPerson(random)
  const name = `${random.pick(FIRST_WORDS)} ${random.pick(LAST_WORDS)}`
  const createdAt = someTime(OPENED, LAST_EVENT - 20 * DAY, random)
  const [industry, type] = [random.pick(INDUSTRIES), random.pick(LEVELS)]
  const [ownerid, revenue, employees] = [someUser(random), random.integer(2, 900), random.integer(2, 240)]
  const isDeleted = random.chance(0.04)
  return appendVersions({ createdAt, changes: random.integer(0, 3), isDeleted }, random, (version) => ({
    id: recordId('account', number),
    name: `${name} ${place.city}`,
    type: version.number === 0 ? 'Prospect' : type,
    industry,
    parentid: number > 20 && number % 10 === 0 ? recordId('account', number / 10) : null,
    billingcity: place.city,
    billingstate: place.region,
    billingpostalcode: place.postalCode,
    billingcountry: place.country,
    website: `https://account${number}.example.com`,
    annualrevenue: (revenue + version.number) * 10_000,
    numberofemployees: employees + version.number,
    ispartner: yesNo(type === 'Partner' && version.number > 0),
    ownerid,
    ...audit(version, { createdAt, owner: ownerid, isInBin: number % 29 === 0 }),
  }))
}

export function contacts(): RawTable {
  const random = createRandom('crm.contacts')
  return defineTable({
    name: 'contacts',
    key: ['id'],
    columns: {
      id: 'varchar not null',
      accountid: 'varchar',
      firstname: 'varchar',
      lastname: 'varchar not null',
      email: 'varchar',
      mobilephone: 'varchar',
      title: 'varchar',
      birthdate: 'date',
      donotcall: 'integer check (donotcall in (0, 1))',
      hasoptedoutofemail: "varchar check (hasoptedoutofemail in ('Y', 'N'))",
      ownerid: 'varchar',
      ...AUDIT_COLUMNS,
      ...STITCH_COLUMNS,
    },
    rows: numbersTo(CONTACTS).flatMap((number) => contactVersions(number, random)),
  })
}

function contactVersions(number: number, random: Random) {
  const person = createPerson(random)
  const createdAt = someTime(OPENED, LAST_EVENT - 20 * DAY, random)
  const [accountid, ownerid] = [recordId('account', random.integer(1, ACCOUNTS)), someUser(random)]
  const title = random.pick(['Buyer', 'Buyer', 'Owner', 'Store Manager', 'Accounts Payable'])
  const born = OPENED - random.integer(22 * 365, 65 * 365) * DAY
  const [knowsBirthday, isDeleted, optsOut] = [random.chance(0.3), random.chance(0.05), random.chance(0.1)]
  return appendVersions({ createdAt, changes: random.integer(0, 2), isDeleted }, random, (version) => ({
    id: recordId('contact', number),
    accountid,
    firstname: person.firstName,
    lastname: person.lastName,
    email: emailOf(person, number, 'example.org'),
    mobilephone: version.number > 0 ? person.phone : null,
    title,
    birthdate: knowsBirthday ? day(born) : null,
    donotcall: number % 13 === 0 ? 1 : 0,
    hasoptedoutofemail: yesNo(optsOut && version.isLast),
    ownerid,
    ...audit(version, { createdAt, owner: ownerid, isInBin: number % 37 === 0 }),
  }))
}
