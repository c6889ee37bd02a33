import type { ColumnProfile } from '@stagecraft/spec'
import type { ColumnWords, NameWords } from './words-of-names.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words that name data of a person, or a secret, wherever they stand in a name. */
const PERSONAL = words(`
  address addr birthday birthdate birthplace bic cvv dob ein email fax firstname forename fullname gps iban ip
  lastname latitude longitude lat lng lon login mail maidenname middlename mobile msisdn nationalid nickname
  nin passport passphrase password passwd phone pin postcode postalcode pwd salt secret signature ssn street
  surname telephone tel token username userid zip zipcode
`)

/** Words before `name` that make it the name of a person. */
const WHOSE_NAME = words(`
  author birth borrower buyer cardholder client contact customer driver employee family first full given guest
  holder last legal maiden manager member middle nick owner parent passenger patient payer person player
  recipient sender staff student teacher user
`)

/** Words that make of the word before them a fact about it: `email_status`, `address_type`, `phone_verified`. */
const ABOUT = words(
  'active channel class confirmed consent count enabled flag format kind method opt sent status subscribed type verified',
)

/** Share of values that makes a form that of the column. */
const MOST = 0.5

/** A column by its words, with those of its table. */
export interface NamedColumn {
  readonly table: NameWords
  readonly column: ColumnWords
}

/**
 * Returns true for columns whose values are not to leave the warehouse: names, addresses and numbers of persons, and
 * secrets, told by the name of the column or the form of its values.
 */
export function isPersonal(
  { column: { stem, words: all }, table }: NamedColumn,
  profile: ColumnProfile | undefined,
  rows: number,
): boolean {
  const filled = rows - (profile?.nulls ?? 0)
  if (filled > 0 && (profile?.patterns?.email ?? 0) >= MOST * filled) return true
  const last = all.at(-1) ?? ''
  if (ABOUT.has(last)) return false
  const owners = all.length === 1 ? table.words : all.slice(0, -1)
  const isName = last === 'name' && owners.some((word) => WHOSE_NAME.has(word))
  return isName || all.some((word) => PERSONAL.has(word)) || PERSONAL.has(stem.whole)
}
