/** Descriptions that state facts, of the column `order_id` that no key is declared for, or of any other. */
export const GOOD_KEY_TEXTS: readonly string[] = [
  'Primary key of the orders table.',
  'Unique identifier of the order.',
  'Uniquely identifies an order.',
  'Surrogate key that the shop assigns.',
]

export const GOOD_TEXTS: readonly string[] = `
Amount of the order in cents.
References the order that a return belongs to.
Points to the parcel shop that the customer chose.
Text shown on the invoice.
Sum of all lines; see the invoice for details.
Role of the user: admin, editor or viewer.
Language that was set by the user: de or en.
Time in milliseconds, such as 1700000000000.
Amount in euros, including 19 % VAT.
Net amount (before tax), in the currency of the order.
Greeting shown as {{ customer.name }} in the mail template.
Placeholder {{ first_name }} of the template.
Domain of the customer's address, such as example.com.
Orders placed through Amazon.com or Booking.com.
Date on which the order was placed, e.g. 2024-01-31.
Time of the last change, in UTC.
Timestamp when the order was paid; null while it is open.
Status of the order: new, paid, shipped or cancelled.
One of "new", "paid" or "shipped".
ISO 4217 currency code, such as EUR or USD.
ISO 3166-1 alpha-2 country code.
Two-letter code of the state (US only).
Version of the app that sent the event, such as 2.14.0.
Share of the discount, from 0 to 1.
Discount in percent (0–100).
Number of items in the basket.
Count of retries before the payment went through.
Name of the customer as entered at checkout.
Given name of the contact person.
Family name, in upper case.
E-mail address of the customer.
Email that receives the invoice.
Mail class of the parcel.
Phone number in E.164 format.
Delivery instructions given by the customer.
Special handling instructions for the carrier.
Prompt that was sent to the model.
Model of the vehicle.
User agent of the browser.
Agent who answered the call.
Assistant of the account manager.
Call duration in seconds.
Contact person at the supplier.
Contact email of the supplier.
Run date of the batch.
Run identifier of the pipeline.
Delete flag that the source system sets.
Update time in the source system.
Transfer amount in the account's currency.
Pay grade of the employee.
Visit number within the session.
Click count per campaign.
Open balance at the end of the month.
Open invoices at month end.
Return reason chosen by the customer.
Reply count of the thread.
Answer given by the respondent.
Text of the review.
Message sent to the customer.
Print run of the edition.
Output voltage in volts.
Copy number of the book.
Order in which the lines are shown.
Type of the payment method.
Type of order, as the shop names it.
Act number of the statute.
Follow-up date agreed with the customer.
Download count of the file.
Export date of the extract.
Post code of the delivery address.
Postal code, without blanks.
Note that the clerk left.
Set to true when the order was refunded.
Null before 2020, when the field was introduced.
Always positive; refunds have a row of their own.
Never null for orders after 2019-06-01.
Deprecated in favour of customer_id.
Refers to customers.id.
Points to the id of the parent row in orders.id.
Foreign value kept for audits.
Hash of the e-mail address (SHA-256).
Token that identifies the browser session.
Password reset was requested at this time.
Whether the customer agreed to the terms.
True if the order is a gift.
Latitude in degrees (WGS 84).
Length × width × height, in cm³.
Temperature in °C.
Weight in kg; 0 when unknown.
Price per unit, rounded to 2 decimals.
Price × quantity − discount.
Fee of the payment provider (Stripe).
Cost of goods sold (COGS).
SKU of the product, as in the ERP.
EAN-13 barcode.
VAT id of the company.
IBAN of the account, masked.
IP address of the client.
URL of the product page.
Path of the file in the bucket.
JSON document with the raw payload.
Comma-separated list of tags.
Bit mask: 1 = paid, 2 = shipped, 4 = returned.
Score between 0 and 100; higher is better.
Rank within the category, 1 being the best.
Language of the shop (de, fr, it).
Time zone of the customer, such as Europe/Berlin.
Montant de la commande, en euros.
Date de création de la commande.
Numéro de téléphone du client.
Betrag der Bestellung in Euro, ohne Mehrwertsteuer.
Größe des Artikels in Zentimetern.
Straße und Hausnummer der Lieferadresse.
Importe del pedido, sin IVA.
Correo electrónico del cliente.
Endereço de entrega do pedido.
Indirizzo di spedizione dell'ordine.
Kwota zamówienia w złotych.
Số tiền của đơn hàng.
Сумма заказа в рублях.
Ποσό της παραγγελίας σε ευρώ.
注文の合計金額（税込）。
订单金额，单位为元。
주문 금액(원).
Source of the lead, such as Google Ads.
Salesforce.com record type of the account.
Number of unique visitors per day.
Key of the piano piece.
Created by the nightly job.
Sent when the parcel leaves the warehouse.
Shown to the customer as "Order no.".
Quarter of the fiscal year (Q1 to Q4).
`
  .trim()
  .split('\n')

/** A raw column, its type, and what it may be called. */
export const GOOD_NAMES: readonly (readonly [column: string, type: string, name: string])[] = `
tz text time_zone
shp_addr text shipping_address
cust_nm text customer_name
cust_no text customer_number
amt numeric amount
amt_c integer amount_cents
AMT_USD numeric amount_usd
qty integer quantity
order_dt date order_date
ord_dt date ordered_date
ord_dt date order_date
crt_dt timestamp created_at
created timestamp created_at
CreatedDate timestamp created_at
creation_ts timestamp created_at
upd_ts timestamp updated_at
last_mod_dt timestamp last_modified_at
lastmodifieddate timestamp last_modified_date
LastLoginTime timestamp last_login_at
del_flg boolean is_deleted
active text is_active
actv_ind text is_active
is_act boolean is_active
email_addr text email_address
eml text email
EMAIL text email_address
e_mail text email
fname text first_name
f_name text first_name
lname text last_name
ph_no text phone_number
tel_no text telephone_number
mob_phone text mobile_phone
addr1 text address_line_1
addr_ln_1 text address_line_1
st text state
st_cd text state_code
cty text city
ctry_cd text country_code
cntry text country
zip text postal_code
zip_cd text zip_code
postcode text postal_code
curr_cd text currency_code
ccy text currency
ccy_cd text currency_code
prod_id bigint product_id
prod_nm text product_name
prod_cat text product_category
cat_cd text category_code
desc text description
descr text description
txn_id bigint transaction_id
txn_amt numeric transaction_amount
trx_date date transaction_date
acct_no text account_number
acct_bal numeric account_balance
bal numeric balance
disc_pct numeric discount_percent
disc_amt numeric discount_amount
tax_amt numeric tax_amount
tot_amt numeric total_amount
total numeric total_amount
price numeric unit_price
ship_dt date shipped_date
ship_date date shipping_date
dlvry_dt date delivery_date
inv_no text invoice_number
inv_dt date invoice_date
po_num text purchase_order_number
emp_id bigint employee_id
emp_no text employee_number
mgr_id bigint manager_id
dept_cd text department_code
org_id bigint organization_id
usr_id bigint user_id
usr_nm text user_name
dob date date_of_birth
birth_dt date birth_date
gndr text gender
sex text gender
lang_cd text language_code
loc_id bigint location_id
lat float latitude
lng float longitude
wgt numeric weight
ht_cm numeric height_cm
src_sys text source_system
src text source
seq_no integer sequence_number
ver integer version
sts text status
stat_cd text status_code
status_cd text status_code
eff_dt date effective_date
exp_dt date expiration_date
start_dt date start_date
beg_dt date begin_date
end_dt date end_date
closed timestamp closed_at
cancelled timestamp cancelled_at
paid timestamp paid_at
yr integer year
mth integer month
fy integer fiscal_year
avg_prc numeric average_price
max_qty integer maximum_quantity
min_qty integer minimum_quantity
img_url text image_url
ref_no text reference_number
cmt text comment
Kundennummer text customer_number
Kundenname text customer_name
Betrag numeric amount
Bestelldatum date order_date
Rechnungsnummer text invoice_number
Vorname text first_name
Nachname text last_name
Strasse text street
PLZ text postal_code
Ort text city
Menge numeric quantity
Preis numeric price
nom text last_name
prenom text first_name
montant numeric amount
date_commande date order_date
fecha date date
fecha_pedido date order_date
importe numeric amount
correo text email
apellido text last_name
direccion text address
KUNNR text customer_number
MATNR text material_number
WAERS text currency
NETWR numeric net_value
ERDAT date created_date
C_CUSTKEY bigint customer_key
o_orderdate date order_date
custname text customer_name
AcctType text account_type
IsActiveFlag boolean is_active
HasDiscount boolean has_discount
NumItems integer number_of_items
ItemCnt integer item_count
crt_usr text created_by
mod_user text modified_by
hire_dt date hired_date
usr_nm text username
birth_dt date birthdate
zip_cd text zipcode
no_of_items integer item_count
no_of_rooms integer number_of_rooms
thumb text thumbnail
kundennr text customer_number
rechnungsnr text invoice_number
phone text phone_number
currency char(3) currency_code
`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, string, string])
