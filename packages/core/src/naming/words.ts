// The vocabulary by which run-together names are split: `createdbyid` is `created_by_id` because all three
// parts stand here. A name that is itself a word stays whole, which is why words stand here that are made of
// others (`username`, `warehouse`, `airport`): they are the guard against wrong cuts.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Words that may be any part of a name. */
export const WORDS: readonly string[] = words(`
  abandoned access account accounts action actions active activity actor actual address addresses
  adjusted adjustment admin agent agreement airline airport alert alias allocation allowed alternate
  amount amounts annual answer application applied approval approved archive archived area article
  assigned assignee assignment asset assistant attachment attempt attempts attribute attributes
  attribution audience audit author authorization available average backorder background balance
  balances bank barcode base baseline basis basket batch begin beginning benefit bill billed billing
  birth birthday blocked body bonus book booked booking bounce bounced box branch brand browser
  budget building bundle business button buyer calculated calendar call called caller campaign
  campaigns canceled cancellation cancelled capacity capital captured card carrier cart cartridge
  case cases cash catalog categories category cell center change changed channel charge charged
  charges chat check checked checkin checkout child city claim class clearance click clicked clicks
  client close closed closing cloud code codes cohort color column comment comments commission
  company compare competitor complete completed completion component condition confirmation
  confirmed connected connection consent contact contacts content contract contractor control
  conversion cookie cost costs count country counts county coupon course cover coverage created
  creation creator credit credits currency current custom customer customers cycle daily data
  database date datetime dates days deadline deal dealer debit decimal default deleted deletion
  delivered deliveries delivery demand department departure deposit depth description desk
  destination detail details device diagnosis digits direct discount discounts display disposition
  distance district division document documents domain domestic donor draft driver dropoff due
  duplicate duration earned earnings edited edition effective element eligible email emails employee
  employees employer enabled end ended ending engagement engine enrolled enrollment enterprise entity
  entries entry environment error errors estimate estimated event events exchange excluded exempt
  existing expected expense expiration expired expires expiry export exported extended extension
  external extra facility factor failed failure family fare feature features fee feedback fees field
  fields file filename files filled film final finance financial finished first fiscal fixed flag
  fleet flight floor folder follower foreign format formatted forward fraud free freight frequency
  from fulfilled fulfillment fulfilment full fund funded funding gateway gender general generated
  gift given goal grade grand grant granted gross group groups guest handle handled handling hash
  head header headline health height hidden high hire hired history hold holder holiday home homepage
  host hotel hour hourly hours household image images import imported income index indicator individual
  industry initial insert inserted inspection install installment instance insurance integration
  intent interest internal international interval inventory invitation invited invoice invoices
  issue issued item items job jobs join joined journal key keys keyword keywords kind label language
  last latest latitude lead leads league ledger legal length level levels license licence lifetime
  limit line lines link list listing loan local locale location locations lock locked login logout
  logo logs longitude low loyalty mail mailing main major manager managers manual manufacturer map
  margin market marketing marriage master match matched material max maximum measure media medical
  medium member members membership merchant merged message messages meta metadata meter method
  middle mileage milestone minimum minor minute minutes mobile mode model models modified module
  money month monthly months movement name names national native net network new newsletter next nickname
  notes notification number numbers object offer office offline offset online open opened opening
  operation operator opportunity optional options order ordered orders organization origin original
  originator other outbound outcome outlet output outstanding overdue overtime owed owner owners
  package packages page paid parent part partial participant partner party passenger passport password
  past patient pattern pay payable payer payment payments payout payroll pending people percent
  percentage performance performed period permission person personal phone photo physical pickup
  picture pipeline place placed plan planned plans platform player playlist plugin points policy
  position post postal postcode posted posting potential preferred premium prescription previous
  price prices pricing primary print printed priority private process processed processing processor
  produced product production products profile profit program progress project projects promo
  promotion property proposal provider province public published publisher purchase purchased
  purchaser quality quantity quarter quarterly query question queue quota quote quoted rank rate rates
  rating ratio raw reached read reason reasons receipt receivable received receiver recent recipient
  record records recurring reference referral referred referrer refund refunded refunds region
  registered registration rejected related relation release released reminder remote removed renewal
  renewed rental reorder repair repeat replaced replacement reply report reported reports
  representative request requested required requester reseller reserved residence resolution resolved
  resource response responses result results retail retention return returned returns revenue review
  reviewed revision reward risk role roles room root route rule salary sale sales salesperson
  salutation sample saved scan scheduled schema school score screen search season seat second
  secondary seconds section sector segment selected seller send sender sent sequence serial series
  server service services session sessions settled settlement settings severity shape share shared
  ship shipment shipments shipped shipper shipping shop shopper side sign signature signed signup
  size skill slot slug snapshot social sold source special speed spend spent sponsor staff stage
  stages standard start started starting state states station status step stock stop stopped
  storage store stored stores storefront street string student style subject submission submitted
  submitter subscribed subscriber subscription subtotal subtype success suffix suite summary supplier
  support surname survey symbol sync synced system table tags target task tasks tax taxable taxes
  taxed team telephone template tenant term terminal termination terms territory test text theme
  thread threshold ticket tickets tier time timeline timestamp timezone title token tokens total
  totals touch town track tracked tracking trade traffic trailing trained training transaction
  transactions transfer transit translation transport travel trial trip type types unit units unpaid
  update updated updates uploaded upper url usage user username users uuid valid value values variant
  vat vehicle vendor verification verified version versions via video view viewed views visible visit
  visitor visits volume voucher wage waiver warehouse warning warranty web webhook website week weekly
  weight wholesale width window winner withdrawal word work worker workflow working year yearly years
  zipcode zone
`)

/** Words made of words above that name one thing, so that they are not cut. */
export const WHOLE_WORDS: readonly string[] = words(`
  backup billboard birthplace bookkeeper breakdown buyback callback cardholder cashback cashbook checkbook
  checklist checkpoint codename copyright countdown crossover cutoff datapoint download endpoint handover
  headcount homeowner homework into layoff lookup makeup markdown markup offload onto overload payback
  paycheck payday payload payoff pinpoint placeholder playback policyholder postage postmaster roommate
  rollover setup shareholder showroom shutdown sideline signoff stakeholder standpoint startup stockholder
  stockroom storeroom takeoff takeover taxpayer teammate timecard timetable touchpoint township trademark
  tradeoff turnover upload viewpoint waypoint webmaster without workbook workday workforce workgroup workload
  workplace workshop workstation workweek
`)

/** Short words that only stand inside or at the end of a name: `created_by`, never `by_created`. */
export const LINK_WORDS: readonly string[] = words(`at by in of on per to out off and for with as`)

/** Short words that only end a name. */
export const END_WORDS: readonly string[] = words(`id ids no num nr cd dt ts qty amt pct url uri flag utc`)

/** Short words that only open a name. */
export const OPEN_WORDS: readonly string[] = words(`is has max min avg`)

/** Names whose capitals are part of the spelling, as one word each. */
export const BRANDS: readonly string[] = words(`
  OAuth GitHub GitLab PayPal YouTube LinkedIn WhatsApp HubSpot QuickBooks NetSuite WooCommerce
  BigCommerce MailChimp SendGrid PagerDuty ClickUp DocuSign iOS macOS iPhone iPad eBay IPv4 IPv6 MySQL
  PostgreSQL JavaScript TypeScript UTMs
`)
