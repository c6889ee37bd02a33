// The vocabulary by which run-together names are split: `createdbyid` is `created_by_id` because all three
// parts stand here. A name that is itself a word stays whole, which is why words stand here that are made of
// others (`username`, `warehouse`, `airport`): they are the guard against wrong cuts.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Words that may be any part of a name. */
export const WORDS: readonly string[] = words(`
  abandoned abbreviation absolute accepted access account accounting accounts accuracy acquisition
  acronym action actions activated active activity actor actual additional address addresses
  adjust adjusted adjustment admin advertiser advertising affiliated agent agents aggregate
  agreement airline airport airtime alert alias all allergies allergy allocated allocation
  allowance allowed alpha alternate alternative altitude always amended amount amounts analytics
  anniversary annual anonymous answer answered appeal application applied appointment appointments
  appraisal approval approved archive archived area arrears arrival arrived article articles
  aspect assembly assessed assessment asset assigned assignee assignment assist assistant assisted
  atomic attachment attachments attempt attempts attendance attended attending attribute
  attributes attribution audience audit auth authenticated author authorization auto automatic
  available avatar average back backend background backorder balance balances bank banned barcode
  barcodes base baseline basis basket batch batches bathroom bathrooms bedroom bedrooms begin
  beginning behavior beneficiary benefit bidding bill billable billboard billed billing bin birth
  birthday blacklist blocked body bold bonus book booked booking bookings borrower bounce bounced
  bound box bracket branch brand breached breakfast brief broker brokerage browser budget budgeted
  buffer building bulk bulletin bundle bundled business button buyer buying bytes cache calculated
  calculation calendar call called caller campaign campaigns canceled cancellation cancelled
  candidate capacity capital caption captured card care caregiver carrier cart carton cartridge
  case cases cash catalog catch categories category cell cellular center central century
  certificate certification change changed changes channel characters charge charged charges chart
  chat check checked checkin checkout checksum child children choices circle cited citizen city
  civil claim class clause clean clearance click clicked clicks client climate clinic clinical
  clone close closed closing cloud club cluster clusters code codes cohort coinsurance collected
  collection color column combined comment comments commercial commission committed common
  communication company compare comparison competition competitor complained complete completed
  completeness completion complex compliance component composite composition computed concept
  condition conference confidence configuration confirm confirmation confirmed connected
  connection consent constructor consultation consumer consumption contact contacts container
  content contest contract contractor contribution control controlled conversion convert converted
  cook cookie coordinate coordinates copay core corporate correct corrected correction cost costs
  cough count counter country counts county coupon course cover coverage covered crash created
  creation creative creator credit credits critical crossed cruise cubic currency current custom
  customer customers customization cycle daily dashboard data database date dates datetime day
  days deactivated deadline deal dealer debit deceased decimal declined deductible default
  definition degree delay delayed deleted deletion delivered deliveries delivery delta demand
  density dental department departure deposit deposited depreciation depth derived description
  design designated desk destination detail details detection device diagnosis diameter
  differential digest digits dimension dinner direct directory disability disabled discharge
  disclosure discontinued discount discounts disease dismissed dispatch dispatched dispensed
  display disposal disposition dispute disputed distance distributed district divided division
  dock doctor document documents dollars domain domestic dominant donor door dosage double down
  downtime draft drive driver dropoff dropped dual due duns duplicate duplicated duplicates
  duration dwell earliest early earned earnings ease eastern ecommerce economic economy edge
  edited edition education effective effort elapsed elastic elected electric element elevation
  eligibility eligible email emailed emails embedded emergency emission employee employees
  employer enabled encoding encounter encrypted end ended ending endpoint energy engagement engine
  english enrolled enrollment enterprise entity entries entry environment episode equipment equity
  era error errors escalated establishment estate estimate estimated ethnicity evaluation evening
  event events exact examination exception exchange excluded exclusive execution exempt exempted
  exist existing exit expanded expected expenditure expense expenses experience expiration expired
  expires expiry explicit export exported exposure expression extended extension extent external
  extra face facilities facility facing fact factor failed failure family fare fastest favorite
  fax feature featured features federal federation fee feedback fees female fiber field fields
  file filename files fill filled film final finance financial finished first fiscal fitness fixed
  flag flags fleet flight floating floor flow focus folder follower font food force forced
  forecast foreign form format formatted formula forward foundation fraction frame fraud free
  freeze freight frequency from fuel fulfil fulfillable fulfilled fulfillment fulfilment full
  function fund funded funding gain gateway gender general generated generation geocode gift given
  global goal goals gold good goods governing grade grand grant granted grid gross ground group
  groups growth guarantee guardian guest handle handled handling hard hardware harvest hash hashed
  having hazard head header heading headline health heat height help hidden hierarchy high highest
  hint hire hired history hits hold holder holiday home homepage hospital host hotel hour hourly
  hours household housing human hybrid identifier idle ignored image images immunization import
  imported impression impressions inactive inbound included income increase increment index
  indexed indicated indicator individual industry infection ingredient inherited initial injured
  injury inpatient input inputs inquiry insert inserted inspected inspection inspector install
  installment instance instant institute institution instruction insurance insured insurer intake
  integer integration intended intent interaction interest internal international internet
  interval interview inventories inventory investor invitation invited invoice invoices invoicing
  issuable issue issued issuer item items iteration job jobs join joined journal jurisdiction keep
  kernel key keys keyword keywords kind kitchen label labor laboratory landed landing landline
  language laps large last latency latest latitude launch launched layer lead leader leads leaf
  league learner learning leave lecture ledger left legacy legal length lesson letter level levels
  liability licence license licensed lifecycle lifetime limit line lines link liquid list listed
  listing listings live load loaded loan loans local locale location locations lock locked login
  logins logo logout logs long longitude look lost lot low lower loyalty lunch machine made
  magnitude mail mailing main maintenance major male managed manager managers mandatory manual
  manufacture manufactured manufacturer manufacturing map mapping margin marital mark marked
  marker market marketing marketplace marriage mask mass master match matched matches material
  maturity max maximum mean measure medal media medical medication medications medium meeting mega
  member members membership memo memory mentor menu merchant merge merged message messages meta
  metadata meter method metric metrics middle migration mileage milestone military mine minimum
  mining minor minute minutes missed mixed mobile mode model models modification modified modifier
  module money month monthly months morning mortgage motion mount move moved movement movie multi
  multiple municipality mutual naics name named names national native nature navigation near
  negative neighborhood net network neutral new newborn newsletter next nickname night node nodes
  noise nominal none normal normalized note notes notice notification notified notify number
  numbers numeric nurse object observed occupancy occupation occurred occurrence odometer offer
  office officer official offline offset onboarding ongoing online onset open opened opening
  operating operation operational operator opponent opportunities opportunity opted optimal
  optional options order orderable ordered ordering orders organic organization organizational
  orientation origin original originator other outbound outcome outgoing outlet outpatient output
  outsourced outstanding overall overdue overhead override overtime overview owed owner owners
  ownership pack package packages page paid pair pallet panel paper paragraph parameter parameters
  parcel parent parking parse parsed parser part partial participant partition partner partners
  parts party passed passenger passengers passing passport password past patch path patient
  patients pattern paused pay payable payback payer payment payments payout payroll peak penalty
  pending pension people percent percentage performance performed performer period periods
  permission person personal pharmacy phase phone phones photo physical physician pick picked
  picking picklist pickup picture pinned pipeline pixel pixels place placed plain plan planet
  planned plans plant plate platform player playlist plugin plugins point points policies policy
  pool population port portal portion position positive post postal postcode posted posting
  potential power practice predicted prediction preferred prefix premium prepaid prescribed
  prescriber prescription presence present preset president pressure prevailing preview previous
  price pricelist prices pricing primary principal print printed prior priority private
  probability procedure procedures process processed processing processor produced producer
  product production products profession profile profit program progress project projects promised
  promo promotion prompt proof property proposal protected protocol provider province provision
  provisioned proxy public publication published publisher pull pulled pulse punch purchase
  purchased purchaser pure purpose push qualification qualified qualifying quality quantity
  quarantine quarter quarterly query question queue quick quiet quota quote quoted race races
  radius random range rank rate rates rating ratio raw reached reaction read reader reading
  readmission real realized reaper reason reasons rebate recall receipt receivable received
  receiver receiving recent recipe recipient recommendation recommended reconciled record recorded
  records recover recovered recruiter rectangle recurrence recurring redeem redeemed redirect
  reduced reduction reference referenced referer referral referred referrer referring refresh
  refreshed refund refundable refunded refunds region regional register registered registration
  regular regulation regulatory rejected related relation relationship relative relay release
  released reliability religion remaining remark remarks reminder remote removed render renewal
  renewed rent rental reopened reorder rep repair repeat repeatable replaced replacement replica
  reply report reported reporting reports repository representative request requested requester
  required requirement requisition resale research reseller reservation reserve reserved reset
  residence residency resident residential residue resolution resolve resolved resource response
  responses responsible restaurant restock restricted restriction result results retail retained
  retention retired return returnable returned returns revenue reversal reverse reversed review
  reviewed revised revision reward ride rider right rights ring risk role roles rolling room root
  roster rotation rounded rounding rounds route routing row rule runner runtime safety salary sale
  sales salesman salesperson salutation same sample samples sandbox satisfaction save saved scale
  scan schedule scheduled scheduler schema scheme school scope score scored scores scrap scraped
  screen script sealed search season seasons seat seating second secondary seconds secret section
  sector secure secured security seen segment selected selection self seller selling semester send
  sender sensor sent sentiment separate sequence serial serialized series server service services
  session sessions set setting settings settled settlement setup severe severity shape share
  shared sheet shift ship shipment shipments shippable shipped shipper shipping shop shopper short
  show showing sic side sign signal signatory signature signed signup silver similar simple
  simulation single site size sizes skill slot slug small smart snapshot social software solar
  sold solution sort sorted source space spare spatial special specialist specialty species
  specimen speed spend spent split sponsor spot spread square stable stadium staff staffing stage
  stages stale stamp stamped standard standings start started starting state states static station
  statistic stats status step sticky stock stop stopped storage store stored storefront stores
  story strategy stream streaming street strength stress strike string strong structure student
  students style subcategory subject submission submit submitted submitter subscribed subscriber
  subscription subsidiary substitute subtotal subtype suburb success suffix suggested suite
  summary summer sunday supervisor supplier support surcharge surface surgeon surgery surgical
  surname surplus surveillance survey suspended swap switch syllabus symbol symptom sync synced
  system table tags talk target tariff task tasks tax taxable taxed taxes taxonomy teacher team
  teams technical technician telephone temperature template tenant tender tenure term terminal
  terminated termination terms territory test tested text theme therapy thickness third thread
  threads threshold thumbnail ticker ticket tickets tier time timeline timeout timesheet timestamp
  timezone tips title token tokens tolerance tone tool topic torque total totals touch tournament
  town trace track tracked tracker tracking trade trademark traffic trail trailing train trained
  training trans transaction transactions transfer transferred transit transition translation
  transmission transmitted transport travel treated treating treatment tree trend trial trigger
  triggered trip true trust turn type types unique unit units universal unlimited unlocked unpaid
  unpublished unqualified unread unscheduled unsubscribed untaxed update updated updates upgrade
  uploaded uploads upper urgency urgent url usage user username users utility utilization utilized
  uuid vacation vaccination vaccine valid validated validation valuation value values variable
  variance variant vat vehicle vendor vendors verification verified version versions vertical
  vessel via video view viewed views village violation virtual visibility visible visit visited
  visitor visits visual vital voice void voided voltage volume vote votes voucher wage wait
  waitlist waiver wallet warehouse warn warning warrant warranty waste watch watched water wealth
  weather web webhook website wedding week weekend weekly weeks weight wheel whitelist wholesale
  wide width window winner winning wins wire wished withdrawal won word work worker workflow
  working workspace worth wrap write writer written wrong year yearly years yield zero zip zipcode
  zone
`)

/** Words made of words above that are words of English, or name one thing, so that they are not cut. */
export const WHOLE_WORDS: readonly string[] = words(`
  adjustor answerphone apitherapy auditor authorship autograph autographs autoimmunization
  automobile backboard backcountry backdoor backfield backpack backroom backseat backside
  backstage backstop backstreet backtrack backup backward backwards backwater badgering bandleader
  bandwidth bankbook bankcard banknotes baselines basketwork billboard billboards billowed
  birthdays birthmark birthplace birthrate birthrates birthright blockhead blockhouse boardroom
  boathouse boatload bodybuilding bodywork bookcase bookcases bookend bookkeeper bookmark
  bookmarks bookmobile bookseller bookshelf bookshelves bookshop bookstore bookstores boxroom
  breakdown breakout briefcase briefcases bulkhead businessperson buyback callas callback canfield
  cannot canon cardboard cardholder carefree carton cartwheel casebook casein caseload casework
  caseworker cashback cashbook catchphrase cellblock cellphone cellphones centerpiece centerpieces
  chatline chatlines chatroom chattier checkbook checkbox checklist checkoff checkpoint
  checkpoints checkroom childbirth childproof citizenship citywide classroom classrooms classwork
  closeout closets clubhouse codebook codename commentator commonplace commonwealth cookbook
  cookbooks cookout copyright cornerstone countdown counterbalance counterbidding countermeasure
  countermeasures counteroffer counterpart counterparts counterpoint countersurveillance
  countryside coursebook coursework courthouse courtroom courtrooms courtship courtside coverall
  coverts crossover cutoff databank datapoint datebook dateline datelines daybreak daycare daytime
  dealership dealerships defector dinnertime dishonor dishwater doorstep doorstop downfield
  downlink download downloaded downright downriver downside downstate downstream downtown downward
  drugstore drugstores duelist duets endgame endowed endpoint endpoints entryphone extralegal
  extramarital facedown facets farmhouse fieldstone fieldwork fieldworker figurehead filenames
  flagon flagship flagstaff floorboard floorboards floorshow framework freebase freehold
  freeholder freephone freestyle friendship friendships fullback generalship goalpost goaltender
  goodnight goodyear grandchild grandchildren grandmaster grandparent grandparents grandstanding
  gridlock groundwork guardianship guestbook guesthouse guestroom guidebook guidebooks guideline
  guidelines habitat handover hardcore hardhead hardship hardships hardworking hashtags hastier
  headband headboard headcase headcases headcount headcounts headfirst headlines headlock headlong
  headmaster headphone headphones headpiece headquarter headquarters headroom headset headship
  headstone headstrong headword healthcare heroin holdall holdout homebody homemade homeowner
  homeowners homering homeroom hometown homeward homework homeworker homeworking houseboat
  houseguest householder housework humankind idealist idealists inspectorship inspectorships into
  intonation isoimmunization jobholder jobshare joints judgeship keyboard keyboards keynote
  keynotes keystone lakeside lapstone layoff leadership lectureship lectureships letterhead
  livelong livestock loanword lockbox lockout lockstep logotype logotypes longboat longtime
  lookout lookup lotto lowdown lunchbox lunchroom lunchtime macroeconomic mailbox maillot
  mainframe mainline mainlines mainstream makeup mapper markdown marketplace markup masterclass
  masterpiece masterpieces masterwork matchbook matchbox matchlock meantime megaphone mentorship
  mentorships metalanguage metaphysical middleweight minas minefield minefields mineralist
  mineralists mintier mints moderate moderates moderating moneybox motorbike motorbikes motorboat
  motorcycle motorcycles multicentral multimedia multinational multitask nationwide nearby netbook
  networking newts nightclub nighttime objector officeholder offload onto openwork overload
  ownership paperback paperweight paperweights paperwork parkin partnership partnerships parton
  passbook passkey pastas pastor payback paycheck paychecks payday paydays payload paymaster
  payoff payphone personas phonecard photocell photocomposition photocopy photograph photographs
  photometer phototherapy pickin pinpoint placeholder plants playback playbook playground
  playhouse playoff playroom playtime policyholder poolroom poolside portside postage postbox
  postcard postcards postcodes postdate postdates postgraduate postmarital postmark postmarked
  postmaster postpaid postscript postseason postsurgical powerhouse presidentship presidentships
  printout projector proofread prospector punchline pushcart quarterback quarterfinal
  quartermaster quarterstaff quicksilver racetrack ratepayer readership readopted readout
  receivership relationship repasts ringleader ringmaster ringside riverbank riverboat riverside
  roadblock roadblocks roadhouse roadrunner roadside roadwork rollover roommate rowboat rowlock
  saleroom salesmanship salespeople salesroom scantest scantier scants schoolbook schoolbooks
  schoolchild schoolchildren schooldays schoolhouse schoolmaster schoolroom schoolteacher
  schoolteachers schoolwork scoreboard scorecard scoreline scorelines scrapbook scrapbooked
  scrapbooking scrapbookings scrapbooks scrappage scrappages scrapper screenplay screenplays
  screenwriter sendoff setback seton settable setts setup shareholder shipboard shipbuilding
  shiplaps shipowner shipowners shipshape shoptalk shortstop showboat showcase showdown showoff
  showroom showstopper showtime shutdown sideboard sideline sidelines sideshow sidestep sidetrack
  sidetracked sidetracking signoff signor signpost signposted signposting silverback sitemap
  skinhead skinheads songwriter songwriters spaceship spaceships speakerphone speedboat
  sponsorship spreadsheet spreadsheets stagecoach stakeholder standpoint starboard starring
  starship starts startup stateroom stateside statewide stationmaster stepchild stepparent stepper
  stepson stockbroker stockbrokers stockholder stockroom stoppage stopper stopwatch storehouse
  storeroom storyboard storyboards storybook streamline stressor strikeout strongbox stronghold
  studentship successor summerhouse summertime surgeonship surgeonships surveyor switchboard
  tablets takeoff takeover taskmaster taxon taxpayer taxpayers teammate teamwork terminator
  textbook textbooks timecard timelines timeout timepiece timeserver timeshare timetable
  titleholder toolbox touchdown touchline touchlines touchpoint touchscreen townhouse township
  townspeople trademark tradeoff transferring transform transforms transparent transplant
  transplants transports tripper truckload turnip turnoff turnout turnover turntable typeset
  typewriter typewriters upload uppercase usernames videophone viewpoint viewpoints voicemail
  voiceprint wagering waitperson waitstaff wardroom warrantor wastebasket wastepaper watchtower
  watercolors watermark waterproof waterworks waypoint weblogs webmaster weekday weekdays weekend
  weekended weekending wheelhouse widespread without wordbook workbasket workbook workday workdays
  workfare workforce workgroup workhouse workload workout workplace workroom workshop worksite
  workstation worktable workweek wrapper yearbook yearbooks zipper
`)

/** Short words that only stand inside or at the end of a name: `created_by`, never `by_created`. */
export const LINK_WORDS: readonly string[] = words(`
  at by in of on per to out off and for or with as ip uom not
`)

/** Short words that only end a name. */
export const END_WORDS: readonly string[] = words(`
  id ids uid no num nums nr cd dt ts qty amt pct url urls uri flag flg utc gmt ip po uom iso sku vat zip only
`)

/** Short words that only open a name. */
export const OPEN_WORDS: readonly string[] = words(`
  is has do can max min avg sum num qty bill ship aws sso api sku uom iso gps utm dns url http ssl
`)

/** Names whose capitals are part of the spelling, and compounds that are one word, however they are written. */
export const BRANDS: readonly string[] = words(`
  OAuth GitHub GitLab PayPal YouTube LinkedIn WhatsApp HubSpot QuickBooks NetSuite WooCommerce
  BigCommerce MailChimp SendGrid PagerDuty ClickUp DocuSign iOS macOS iPhone iPad eBay IPv4 IPv6 MySQL
  PostgreSQL JavaScript TypeScript UTMs ChangeSet PriceBook ZoomInfo SalesForce ZenDesk FaceBook
  TikTok BitBucket ServiceNow PowerBI BigQuery DataDog FreshDesk CircleCI AppsFlyer SurveyMonkey
  WordPress SharePoint OneDrive DropBox AirTable ChartMogul ActiveCampaign
`)

/** Brands and compounds as they stand in names of one case: never cut, and cut off from what is around. */
export const BRAND_WORDS: readonly string[] = BRANDS.filter((brand) => brand.length > 5).map((brand) =>
  brand.toLowerCase(),
)
