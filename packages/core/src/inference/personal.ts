import type { Dialect } from '@stagecraft/dialects'
import type { ColumnProfile } from '@stagecraft/spec'
import { type ColumnWords, type NameWords, readNames } from './words-of-names.ts'

const words = (text: string): ReadonlySet<string> => new Set(withoutAccents(text).trim().split(/\s+/))

/** Words for personal data or secrets, anywhere in a name. */
const PERSONAL = words(`
  address addr apikey auth bearer birth born birthday birthdate birthplace bic card cookie creditcard credential cvc cvv dob ein email
  fax firstname forename fullname gps iban ip lastname latitude longitude lat lng lon login mail maidenname middlename mobile
  msisdn nationalid nickname nin otp pan passport passphrase password passwd phone pin postcode postalcode pwd salt secret
  signature ssn street surname taxid taxnum telephone tel token username userid vat zip zipcode
`)

/** Short forms, and numbers that governments, hospitals, banks and phones assign to a person. */
const PERSONAL_SHORT = words(`
  aadhaar acct bsn ccnum ccnumber cell cpr deviceid driverlicense driverslicense eml emailaddr fname fullnm gaid geopoint
  idfa idfv kin lname maidennm mname medrecno mrn nhs nhsnumber nino phno postcd screenname socsecnbr socialsecurity twitterhandle useragent zip5 zip4
  adr cellphone contactno contactnum contactnumber displayname driverlicence faceid facebook fingerprint fio houseno instagram
  kennzeichen kontaktnr kontaktnummer licenceplate licenseplate linkedin medicare nationalinsurance pager plateno platenumber
  sinnumber snil vin whatsapp
`)

/** The same in German, French, Spanish, Italian, Portuguese and Dutch, without accents. */
const PERSONAL_ELSEWHERE = words(`
  achternaam anschrift ansprechpartner apellido benutzername calle celular cellulare codepostal codicefiscale codigopostal cognome
  contrasena correo courriel cpf curp direccion dni endereco familienname fecha_nacimiento geboortedatum geburtsdatum
  geburtsname geburtsort geburtstag handy hausnummer huisnummer indirizzo kennwort konto kontonummer kundenname mobil mobiel
  motdepasse movil naam nachname naissance nachnamen nacimiento nascimento nascita nif nombre nom nome passwort plz portable prenom
  rua rufnummer senha sobrenome steuernummer steuerid str strasse strase telefon telefone telefono telefoon telefonnummer
  voornaam vorname vornamen wachtwoord wohnort woonplaats
`)

/** The same in Polish, Czech, the Nordic languages, Turkish, Vietnamese and Indonesian. */
const PERSONAL_FAR = words(`
  adi alamat cprnr dogumtarihi efternamn efternavn etternavn etunimi fodelsedatum fodselsdato fodselsnummer fornamn fornavn
  epost eposta henkilotunnus hoten imie jmeno namalengkap nazwisko osoite personnummer pesel prijmeni puhelin puhelinnumero rodnecislo
  kodpocztowy postnr postnummer sahkoposti sodienthoai soyad soyadi soyisim sukunimi tckimlikno ulica ulice zamieszkania
`)

/** Russian, Japanese, Chinese, Hindi and Arabic names, phones and addresses in Latin letters. */
const PERSONAL_TRANSLITERATED = words(`
  denwa dianhua dizhi familiya hatif imya ism jusho namae otchestvo shimei xingming
`)

/** Parts of words for phones, addresses and births in languages that join words: `Telefonnr`, `gatuadress`. */
const PERSONAL_PART =
  /adre(?:s|$)|dogumtar|elettronica|fodsel|geboort|geburt|handynu|mobiln|nacimient|naissance|narozen|nasciment|nascita|numerosecu|postleitzahl|securitesociale|straat|strass|telefo|urodz|woonplaat/

/** Words before `name` that make it the name of a person. */
const WHOSE_NAME = words(`
  author birth borrower buyer cardholder client contact customer driver employee family first full given guest
  cust emp holder last legal maiden manager member middle nick owner parent passenger patient payer person player
  husband recipient sender spouse staff student teacher user wife
  benutzer besitzer cliente inhaber kontoinhaber empleado kunde kunden mitarbeiter nutzer usuario utilisateur vertreter
`)

/** Words for tables of persons, and for persons before `name`, besides those. */
const PERSONS = words(`
  agent applicant attendee beneficiary candidate child citizen claimant consultant debtor director doctor donor father individual
  insured lead mother nurse operator participant policyholder profile prospect pupil resident salesperson shareholder subscriber
  tenant visitor volunteer voter witness
  ansatt ansatte anstalld anstallda clienti dipendente dipendenti employe empleados klant klanten klient klienci kunder
  medewerker medewerkers musteri musteriler paciente patienten personen personne pracownik pracownicy salarie schuler schueler
  zakaznik zakaznici
`)

/** Last words of texts that tell who did something: `created_by`, `assigned_to`, `reviewer`. */
const WHO = words(`
  agent applicant approver assignee by cashier clerk doctor instructor nurse operator physician recruiter referrer rep
  reviewer salesperson seller signer technician tutor who
`)

/** First words of columns that answer yes or no. */
const ASKING = words('are can did has is was')
/** The longest answer: `false`. */
const LONGEST_ANSWER = 5

/** Words that describe the word before them: `email_status`, `address_type`, `phone_verified`. */
const ABOUT = words(
  'active channel class confirmed consent count enabled flag format kind method opt sent status subscribed type verified',
)

/** The share of values from which a form counts as that of the column. */
const MOST = 0.5

/** A column by its words, with those of its table. */
export interface NamedColumn {
  readonly table: NameWords
  readonly column: ColumnWords
}

/**
 * Returns true for columns whose values must not leave the warehouse: names, addresses and numbers of persons, and
 * secrets, recognized by the name of the column or the form of its values.
 */
export function isPersonal(named: NamedColumn, profile: ColumnProfile | undefined, rows: number): boolean {
  const filled = rows - (profile?.nulls ?? 0)
  // a name in another script may mean anything
  const isUnreadable = !named.column.words.some((word) => /[a-z]/.test(word))
  const isEmail = filled > 0 && (profile?.patterns?.email ?? 0) >= MOST * filled
  if (answersYesOrNo(named, profile)) return false
  return (
    isEmail ||
    isUnreadable ||
    isPersonalByName(named) ||
    (profile?.maxLength !== undefined && isCalledAsPerson(named))
  )
}

/** Returns true for the name of a column that personal data or secrets usually have. */
export function isNamedAsPersonal(table: string, column: string): boolean {
  const columns = [{ name: column, type: 'text' }]
  const given = { schema: '', name: table, columns }
  const names = readNames([given])
  const named = {
    table: names.table(given),
    column: names.column(given, columns[0] ?? { name: column, type: 'text' }),
  }
  return !answersYesOrNo(named, undefined) && isPersonalByName(named)
}

function isPersonalByName({ column: { stem, words: all }, table }: NamedColumn): boolean {
  const numbered = all.map(withoutAccents)
  // `phone1` and `name2`, but not `zip5`
  const plain = numbered
    .map((word) => (isPersonalWord(word) ? word : word.replace(/\d+$/, '')))
    .filter(Boolean)
  const last = plain.at(-1) ?? ''
  if (ABOUT.has(last)) return false
  const owners = plain.length === 1 ? table.words : plain.slice(0, -1)
  const isName = (last === 'name' || last === 'nm') && owners.some(isPerson)
  return (
    isName ||
    PERSONAL_PART.test(plain.join('')) ||
    [...plain, plain.join(''), withoutAccents(stem.whole)].some(isPersonalWord)
  )
}

const LISTS = [PERSONAL, PERSONAL_SHORT, PERSONAL_ELSEWHERE, PERSONAL_FAR, PERSONAL_TRANSLITERATED]

function isPerson(word: string): boolean {
  return WHOSE_NAME.has(word) || PERSONS.has(word)
}

function isPersonalWord(word: string): boolean {
  return LISTS.some((list) => list.has(word))
}

/** Returns true for columns such as `owner` and `created_by`, which contain names of persons. */
function isCalledAsPerson({ column: { words: all } }: NamedColumn): boolean {
  const last = withoutAccents(all.at(-1) ?? '')
  return WHOSE_NAME.has(last) || WHO.has(last) || all.slice(-2).join(' ') === 'assigned to'
}

/** Returns true for columns such as `is_first` and `has_email`, which say nothing about who it is. */
function answersYesOrNo({ column }: NamedColumn, profile: ColumnProfile | undefined): boolean {
  const [first = '', ...others] = column.words
  return ASKING.has(first) && others.length > 0 && (profile?.maxLength ?? 0) <= LONGEST_ANSWER
}

function withoutAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '')
}

/** Endings of keys, whose bounds reveal nothing about a person. */
const KEYS = words('id key sk uuid guid pk fk ref gid')
const COORDINATES = words('lat latitude lng lon longitude')

/**
 * Returns true for numbers and days of persons: their least and greatest values are personal too. Those of
 * coordinates only show an area.
 */
export function hidesBounds(named: NamedColumn): boolean {
  const { ending, words: all } = named.column
  const isOther = KEYS.has(ending) || COORDINATES.has(all.at(-1) ?? '')
  return !isOther && isPersonalByName(named)
}

/** Fewer digits are codes, years and versions. */
const DIGITS_OF_A_PERSON = 7

/**
 * Returns the condition for texts that may identify a person, whatever the name of the column: many digits (phones,
 * cards, accounts, birthdays), an @ sign, three dots as in IP addresses, or documents such as JSON and XML, whose
 * fields may be personal.
 */
export function printMayIdentify(text: string, dialect: Dialect): string {
  const { characters, textLength } = dialect.idioms
  const length = (of: string): string => (characters ?? textLength).replaceAll('{x}', () => of)
  const withoutDigits = '0 1 2 3 4 5 6 7 8 9'
    .split(' ')
    .reduce((of, digit) => `replace(${of}, '${digit}', '')`, text)
  // SQL Server reads brackets as a character class
  const signs = ['%@%', '%.%.%.%', '%{%', '%<%>%', '%":%', '%=%', '[%', '[[]%'].map(
    (form) => `${text} like '${form}'`,
  )
  return `${length(text)} - ${length(withoutDigits)} >= ${DIGITS_OF_A_PERSON} or ${signs.join(' or ')}`
}
