// What a helpful model says of ordinary tables: names, descriptions and expressions that have to be taken.
import type { DialectName, ResultType } from '@stagecraft/spec'

/** A column as a warehouse has it, and what is said of it; null for a name that stays. */
export interface GoodSaying {
  readonly column: string
  readonly type: string
  readonly comment?: string
  readonly name: string
  readonly description: string
}

function read(text: string): readonly GoodSaying[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [column = '', type = '', name = '', description = '', comment] = line.split(' | ')
      return { column, type, name, description, ...(comment !== undefined && { comment }) }
    })
}

export const GOOD_TABLES: Readonly<Record<string, readonly GoodSaying[]>> = {
  // a support desk
  tickets: read(`
ticket_id | bigint | ticket_id | Number of the ticket in the help desk.
subj | text | subject | Subject line that the requester entered.
note | text | note | Note that the agent wrote when closing the ticket.
int_note | text | internal_note | Note that agents write for each other; customers do not see it.
agent_id | bigint | agent_id | Agent who is assigned to the ticket.
prio | text | priority | Priority of the ticket: low, normal, high or urgent.
chnl | text | channel | Channel by which the ticket came in, such as e-mail or chat.
opened | timestamp | opened_at | When the requester opened the ticket.
first_resp_ts | timestamp | first_response_at | When an agent first replied.
closed_dt | timestamp | closed_at | When the ticket was closed; empty while it is open.
sla_breach_flg | text | is_sla_breach | Y if the first reply came after the agreed time.
csat | integer | csat | Satisfaction score from 1 to 5, given by the requester.
tags | text | tags | Tags of the ticket, separated by commas.
reopen_cnt | integer | reopen_count | How often the ticket was reopened.
`),
  // a shop
  order_items: read(`
OrderItemId | bigint | order_item_id | Number of the line.
OrderId | bigint | order_id | Order that the line belongs to.
SkuCd | text | sku_code | Stock keeping unit of the article.
Qty | integer | quantity | Number of pieces ordered.
UnitPrc | numeric | unit_price | Price of one piece before discounts.
DiscAmt | numeric | discount_amount | Discount on the line, in the currency of the order.
TaxRt | numeric | tax_rate | Tax rate as a fraction, for instance 0.19.
LineTot | numeric | line_total | Quantity times unit price, less the discount.
GiftWrap | boolean | gift_wrap | Whether the line is to be wrapped as a gift.
ShipDt | date | shipped_date | Day on which the line left the warehouse.
CrtTs | timestamp | created_at | Moment at which the line was added to the order.
`),
  // people
  employees: read(`
emp_no | integer | employee_number | Personnel number.
fnm | text | first_name | Given name. | first name
lst_nm | text | last_name | Family name.
hire_dt | date | hire_date | First day of work.
term_dt | date | termination_date | Last day of work; null for current staff. | termination date
dept_id | bigint | department_id | Department of the employee.
mgr_emp_no | integer | manager_employee_number | Personnel number of the manager.
sal_amt | numeric | salary_amount | Yearly salary before tax. | salary
fte_pct | numeric | fte_percent | Working time as a share of full time.
work_email | text | work_email | Business e-mail address.
act_ind | text | is_active | Y while the person is employed.
loc_cd | text | location_code | Code of the office.
birth_dt | date | birth_date | Date of birth.
`),
  // payments
  charges: read(`
charge_id | text | charge_id | Identifier of the charge at the payment provider.
amt_cents | bigint | amount_cents | Amount in cents.
ccy | text | currency | Currency as a three-letter ISO 4217 code.
cust_id | text | customer_id | Customer who was charged.
card_brand | text | card_brand | Brand of the card, for instance Visa.
card_last4 | text | card_last4 | Last four digits of the card.
refunded | boolean | is_refunded | True once the full amount was paid back.
fail_cd | text | failure_code | Code of the reason why the charge failed. | failure code
pmt_mthd | text | payment_method | Way of payment: card, transfer or wallet. | payment method
captured_ts | timestamp | captured_at | When the money was collected.
dispute_ct | integer | dispute_count | Number of disputes raised by the cardholder.
descr | text | description | Text that appears on the statement of the cardholder.
`),
  // machines
  readings: read(`
rdg_id | bigint | reading_id | Number of the reading.
dev_id | text | device_id | Device that took the reading. | device
temp_c | float | temp_c | Temperature in degrees Celsius.
hum_pct | float | humidity_percent | Relative humidity in percent. | humidity
batt_lvl | integer | battery_level | Charge of the battery between 0 and 100. | battery level
meas_at | timestamp | measured_at | When the sensor measured. | measured at
lat | float | latitude | Latitude in degrees north.
lon | float | longitude | Longitude in degrees east.
fw_ver | text | firmware_version | Version of the firmware. | firmware version
raw_json | text | raw_json | Message of the device as it arrived.
`),
  // a clinic
  encounters: read(`
enc_id | bigint | encounter_id | Number of the encounter.
pat_id | bigint | patient_id | Patient who was seen. | patient
admit_dt | timestamp | admitted_at | When the patient was admitted.
disch_dt | timestamp | discharged_at | When the patient left. | discharged
prim_dx_cd | text | primary_diagnosis_code | Main diagnosis as an ICD-10 code. | primary diagnosis code
los_days | integer | los_days | Length of stay in days.
prov_npi | text | provider_npi | National number of the treating provider. | provider
ins_pay_amt | numeric | insurance_payment_amount | Amount paid by the insurer. | insurance payment
`),
}

export interface GoodCast {
  readonly dialect: DialectName
  readonly type: string
  readonly gives: ResultType
  readonly expression: string
}

/** Expressions over the column `c`. */
export const GOOD_CASTS: readonly GoodCast[] = String.raw`
postgres | text | string | upper(left(c, 1)) || lower(substr(c, 2))
postgres | text | string | initcap(trim(c))
postgres | text | string | regexp_replace(c, '[^0-9+]', '', 'g')
postgres | text | string | nullif(lower(btrim(c)), 'n/a')
postgres | text | string | substr(c, 1, 3) || '-' || substr(c, 4)
postgres | text | date | to_date(nullif(c, ''), 'DD/MM/YYYY')
postgres | text | string | left(c, 3) || '***'
postgres | text | string | concat(upper(left(c, 1)), lower(substring(c, 2)))
postgres | text | string | concat(substring(c from 1 for 4), '-', substring(c from 5 for 2))
postgres | numeric | decimal | round(c, 2)
duckdb | varchar | string | upper(left(c, 1)) || lower(substr(c, 2))
duckdb | varchar | string | concat(upper(left(c, 1)), lower(right(c, 2)))
duckdb | varchar | decimal | try_cast(replace(c, '$', '') as decimal(18, 2))
duckdb | varchar | date | cast(strptime(nullif(c, ''), '%Y%m%d') as date)
snowflake | varchar | string | upper(left(c, 1)) || lower(substr(c, 2))
snowflake | varchar | string | initcap(c)
snowflake | varchar | date | try_to_date(nullif(c, ''), 'YYYYMMDD')
snowflake | varchar | string | substr(c, 1, 4) || '-' || substr(c, 5, 2) || '-' || substr(c, 7, 2)
snowflake | variant | integer | c:age::integer
mysql | varchar(50) | string | concat(upper(left(c, 1)), lower(substr(c, 2)))
mysql | varchar(50) | string | trim(leading '0' from c)
mysql | varchar(50) | date | str_to_date(nullif(c, ''), '%Y%m%d')
sqlite | text | string | upper(substr(c, 1, 1)) || lower(substr(c, 2))
sqlite | text | float | cast(replace(c, ',', '.') as real)
bigquery | string | string | concat(upper(substr(c, 1, 1)), lower(substr(c, 2)))
bigquery | string | date | safe.parse_date('%d/%m/%Y', nullif(c, ''))
bigquery | string | string | initcap(trim(c))
databricks | string | string | concat(upper(left(c, 1)), lower(substr(c, 2)))
databricks | string | date | to_date(nullif(c, ''), 'dd/MM/yyyy')
redshift | varchar(50) | string | upper(left(c, 1)) || lower(substring(c, 2))
clickhouse | String | string | concat(upper(substring(c, 1, 1)), lower(substring(c, 2)))
clickhouse | String | string | lower(trimBoth(c))
sqlserver | nvarchar(50) | string | upper(left(c, 1)) + lower(substring(c, 2, 50))
sqlserver | nvarchar(50) | date | try_convert(date, nullif(c, ''), 103)
trino | varchar | string | upper(substr(c, 1, 1)) || lower(substr(c, 2))
trino | varchar | date | cast(date_parse(nullif(c, ''), '%Y%m%d') as date)
`
  .trim()
  .split('\n')
  .map((line) => {
    const [dialect = '', type = '', gives = '', expression = ''] = line.split(' | ')
    return { dialect: dialect as DialectName, type, gives: gives as ResultType, expression }
  })
