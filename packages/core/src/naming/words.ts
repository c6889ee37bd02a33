// The vocabulary by which run-together names are split: `createdbyid` is `created_by_id` because all three
// parts stand here. A name that is itself a word stays whole, which is why words stand here that are made of
// others (`username`, `warehouse`, `airport`): they are the guard against wrong cuts.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Words that may be any part of a name. */
export const WORDS: readonly string[] = words(`
  abandoned access account accounts accuracy action actions activated active activity actor actual
  address addresses adjusted adjustment admin agent agreement airline airport alert alias all
  allocation allowed alternate amount amounts annual answer answered application applied approval
  approved archive archived area article asset assigned assignee assignment assistant attachment
  attempt attempts attribute attributes attribution audience audit author authorization available
  average background backorder balance balances bank banned barcode base baseline basis basket batch
  begin beginning benefit bill billable billed billing bin birth birthday blocked body bonus book
  booked booking bounce bounced box branch brand breached browser budget building bundle business
  button buyer calculated calendar call called caller campaign campaigns canceled cancellation
  cancelled capacity capital captured card carrier cart cartridge case cases cash catalog categories
  category cell center change changed channel charge charged charges chat check checked checkin
  checkout child city claim class clean clearance click clicked clicks client close closed closing
  cloud code codes cohort color column comment comments commission company compare competitor
  complained complete completed completion component condition confirmation confirmed connected
  connection consent contact contacts content contract contractor control conversion convert
  converted cookie cost costs count country counts county coupon course cover coverage created
  creation creator credit credits currency current custom customer customers cycle daily data
  database date dates datetime day days deactivated deadline deal dealer debit decimal default
  deleted deletion delivered deliveries delivery demand department departure deposit depth
  description desk destination detail details device diagnosis digits direct disabled discount
  discounts display disposition distance district division document documents domain domestic donor
  draft driver dropoff due duns duplicate duplicated duration earned earnings edited edition
  effective element eligible email emails employee employees employer enabled encoding end ended
  ending engagement engine enrolled enrollment enterprise entity entries entry environment error
  errors escalated estimate estimated event events exchange excluded exempt existing expected
  expense expiration expired expires expiry export exported extended extension external extra
  facility factor failed failure family fare fax feature featured features federation fee feedback
  fees field fields file filename files filled film final finance financial finished first fiscal
  fixed flag flags fleet flight floor folder follower forecast foreign format formatted forward
  fraud free freight frequency from fulfillable fulfilled fulfillment fulfilment full fund funded
  funding gateway gender general generated geocode gift given goal grade grand grant granted gross
  group groups guest handle handled handling hash head header headline health height hidden high
  hire hired history hold holder holiday home homepage host hotel hour hourly hours household
  identifier image images import imported income index indicator individual industry initial insert
  inserted inspection install installment instance insurance integration intent interest internal
  international interval inventory invitation invited invoice invoices issue issued item items job
  jobs join joined journal key keys keyword keywords kind label language last latest latitude lead
  leads league ledger legal length level levels licence license lifetime limit line lines link list
  listing loan local locale location locations lock locked login logins logo logout logs longitude
  lost lot low loyalty mail mailing main major manager managers manual manufacturer map margin
  market marketing marriage master match matched material max maximum measure media medical medium
  member members membership merchant merged message messages meta metadata meter method middle
  mileage milestone minimum minor minute minutes missed mobile mode model models modified module
  money month monthly months movement naics name names national native net network new newsletter
  next nickname notes notification number numbers object offer office offline offset online open
  opened opening operation operator opportunity opted optional options order ordered orders
  organization origin original originator other outbound outcome outlet output outstanding overdue
  overtime owed owner owners package packages page paid parent part partial participant partner
  party passenger passport password past patient pattern pay payable payer payment payments payout
  payroll pending people percent percentage performance performed period permission person personal
  phone photo physical pickup picture pipeline place placed plan planned plans platform player
  playlist plugin points policy portal position post postal postcode posted posting potential
  preferred premium prescription previous price prices pricing primary print printed priority
  private probability process processed processing processor produced product production products
  profile profit program progress project projects promo promotion property proposal provider
  province public published publisher purchase purchased purchaser push qualified quality quantity
  quarter quarterly query question queue quota quote quoted rank rate rates rating ratio raw reached
  read reason reasons receipt receivable received receiver recent recipient record records
  recurrence recurring reference referral referred referrer refund refundable refunded refunds
  region registered registration rejected related relation release released reminder remote removed
  renewal renewed rental reopened reorder rep repair repeat replaced replacement reply report
  reported reports representative request requested requester required reseller reserved residence
  resolution resolved resource response responses result results retail retention return returned
  returns revenue review reviewed revision reward ring risk role roles room root route row rule
  salary sale sales salesperson salutation sample saved scan scheduled schema school score screen
  search season seat second secondary seconds section sector seen segment selected self seller send
  sender sent sequence serial series server service services session sessions set settings settled
  settlement severity shape share shared ship shipment shipments shippable shipped shipper shipping
  shop shopper sic side sign signature signed signup site size skill slot slug snapshot social sold
  source special speed spend spent sponsor staff stage stages standard start started starting state
  states station status step stock stop stopped storage store stored storefront stores street string
  student style subject submission submitted submitter subscribed subscriber subscription subtotal
  subtype success suffix suite summary supplier support surname survey suspended symbol sync synced
  system table tags talk target task tasks tax taxable taxed taxes team telephone template tenant
  term terminal termination terms territory test text theme thread threshold ticker ticket tickets
  tier time timeline timestamp timezone title token tokens total totals touch town track tracked
  tracking trade traffic trailing trained training transaction transactions transfer transit
  translation transport travel trial trip type types unit units unpaid unqualified unread
  unsubscribed update updated updates uploaded upper url usage user username users uuid valid value
  values variant vat vehicle vendor verification verified version versions via video view viewed
  views visible visit visited visitor visits volume voucher wage wait waiver warehouse warning
  warranty web webhook website week weekly weight wholesale width window winner withdrawal won word
  work worker workflow working year yearly years zip zipcode zone
`)

/** Words made of words above that are words of English, or name one thing, so that they are not cut. */
export const WHOLE_WORDS: readonly string[] = words(`
  answerphone authorship backup bankbook bankcard banknotes baselines basketwork billboard billowed
  birthdays birthplace birthrate birthrates bodybuilding bodywork bookcase bookcases bookend
  bookkeeper bookmobile bookseller bookshop bookstore bookstores boxroom breakdown businessperson
  buyback callas callback cardholder carton casebook casein casework caseworker cashback cashbook
  cellphone chatline chatlines chatroom chattier checkbook checkbox checklist checkoff checkpoint
  checkpoints checkroom childbirth classroom classwork closeout closets codename copyright countdown
  countryside coursebook coursework coverall coverts crossover cutoff datapoint datebook dateline
  datelines daytime dealership download duelist duets endowed endpoint endpoints entryphone
  extralegal fieldwork fieldworker filenames flagon flagship flagstaff freebase freehold freeholder
  freephone freestyle generalship goalpost grandchild grandparent guestbook guestroom handover
  hashtags hastier headcase headcases headcount headcounts headfirst headlines headlock headmaster
  headphone headquarter headroom headset headship headword holdall holdout homebody homeowner
  homeowners homering homeroom hometown homework homeworker homeworking into jobholder jobshare
  joints keynotes layoff loanword lockout lockstep logotype logotypes lookup lotto mailbox maillot
  mainline mainlines makeup mapper markdown marketplace markup masterclass masterwork matchbook
  matchbox matchlock metalanguage metaphysical middleweight mintier mints moderate moderates
  moderating moneybox netbook networking newts officeholder offload onto openwork overload ownership
  partnership pastas payback paycheck payday paydays payload paymaster payoff payphone personas
  phonecard photocell photometer pinpoint placeholder plants playback policyholder postage postbox
  postcard postcodes postdate postdates postmaster postpaid postseason printout pushcart
  quarterfinal quartermaster quarterstaff ratepayer readopted readout receivership relationship
  repasts ringmaster ringside rollover roommate rowlock saleroom salespeople salesroom scantest
  scantier scants schoolbook schoolchild schooldays schoolmaster schoolroom schoolwork scorecard
  scoreline scorelines sendoff settable setts setup shareholder shipbuilding shipowner shipowners
  shipshape shoptalk showroom shutdown sideline sidelines sidestep sidetrack sidetracked
  sidetracking signoff signpost signposted signposting sitemap sponsorship stakeholder standpoint
  startup stateroom stateside stationmaster stepchild stepparent stepper stockholder stockroom
  stoppage stopper storeroom studentship tablets takeoff takeover taskmaster taxon taxpayer teammate
  teamwork textbook timecard timelines timeout timeserver timeshare timetable titleholder touchline
  touchlines touchpoint touchscreen township trademark tradeoff transferring tripper turnover
  typeset upload uppercase usernames videophone viewpoint viewpoints wagering waitperson waitstaff
  waypoint weblogs webmaster weekday weekdays weekend weekended weekending without wordbook
  workbasket workbook workday workdays workfare workforce workgroup workload workout workplace
  workroom workshop worksite workstation worktable workweek yearbook zipper
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
