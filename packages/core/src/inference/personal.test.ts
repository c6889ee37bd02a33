import { expect, test } from 'vitest'
import { isPersonal } from './personal.ts'
import { readNames } from './words-of-names.ts'

function tells(name: string, maxLength = 20, tableName = 'records'): boolean {
  const table = { schema: 'crm', name: tableName, columns: [{ name, type: 'varchar' }] }
  const names = readNames([table])
  const [column = { name, type: '' }] = table.columns
  const named = { table: names.table(table), column: names.column(table, column) }
  return isPersonal(named, { nulls: 0, distinct: 9, maxLength }, 100)
}

test.each(
  `PAT_NAME_LAST DOB MRN ssn_last4 SocSecNbr cust_nm CUST_FULL_NM emp_fname lname eml ph_no cell_no acct_no cc_num NextOfKin
  zip5 device_id idfa user_agent drivers_license aadhaar imie nazwisko adres_zamieszkania jmeno rodne_cislo sukunimi fornavn
  personnummer cpr_nr soyad so_dien_thoai nama_lengkap who created_by ASSIGNED_TO reviewer imya xingming adı cep_telefonu eposta calle rua ulica code_postal numéro_sécu
  straatnaam telefoonnummer e_mailadres data_urodzenia datum_narození Telefonnr Mobilnummer Kontoinhaber gatuadress mobilnr
  posta_elettronica twitter_handle spouse born contact_no whatsapp_number phone1 email1 addr1 display_name mother_name license_plate имя телефон 氏名 όνομα`.split(
    /\s+/,
  ),
)('values of a column %s do not leave the warehouse', (name) => {
  expect(tells(name)).toBe(true)
})

test.each(
  'status unit_cd UNIT_DESC campaignName ad_size email_status account_type test_nm prvdr_typ_cd channel acct_status titel anrede straddle'.split(
    ' ',
  ),
)('values of a column %s may be listed', (name) => {
  expect(tells(name)).toBe(false)
})

test.each(
  `leads subscribers doctors candidates children claimants personen patienten klanten anställda pracownicy zákazníci musteriler
  customers Kunden clientes people`.split(/\s+/),
)('a name in the table %s is that of a person', (name) => {
  expect([tells('name', 20, name), tells('Name1', 20, name)]).toEqual([true, true])
})

test.each('products warehouses campaigns regions accounts'.split(' '))(
  'a name in the table %s may be listed',
  (name) => {
    expect([tells('name', 20, name), tells('code1', 20, name)]).toEqual([false, false])
  },
)

test.each(['is_first', 'has_email', 'IsOwner'])(
  'values of a column %s are answers if they are short',
  (name) => {
    expect([tells(name, 5), tells(name, 6)]).toEqual([false, true])
  },
)
