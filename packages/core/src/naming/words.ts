// The vocabulary by which run-together names are split: `createdbyid` is `created_by_id` because all three
// parts stand here. A name that is itself a word stays whole, which is why words stand here that are made of
// others (`username`, `warehouse`, `airport`): they are the guard against wrong cuts.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Words that may be any part of a name. */
export const WORDS: readonly string[] = words(`
  abandoned abbreviation abnormal about absolute acceptance accepted access accident accidental
  accommodation account accountholder accounting accounts accumulated accuracy accurate achieved
  acquired acquisition acronym across action actions activated active actively activity actor actual
  actuals added adding addition additional address addresses adds adequate adjust adjusted adjusting
  adjustment admin administered administration administrative advanced advantage advert advertised
  advertisement advertiser advertising advice adviser advisor affected affiliated against agent
  agents aggregate agreement airline airport airtime alcohol alert algorithm alias align aligned
  alignment all allergies allergy allocated allocation allow allowance allowed allowing allows
  almost alpha already alter altered alternate alternative altitude always ambient ambulance amended
  amount amounts analytics angle anniversary announced annual anomaly anonymous another answer
  answered answering apparent appeal appear appearance applicable application applied applies apply
  appointment appointments appraisal approach approval approved approximate archive archived area
  array arrears arrival arrived article articles artificial asked aspect assault assembled assembly
  assess assessed assessment assessor asset assigned assignee assignment assist assistant assisted
  associate associated assumed atomic attachment attachments attack attempt attempts attendance
  attended attending attention attorney attribute attributes attribution audience audit auth
  authenticated author authority authorization auto automated automatic automation availability
  available avatar average await awaiting award awarded awards back backed backend background
  backlog backorder backup bacteria badged baggage balance balances balancing bank bankrupt
  bankruptcy banned barcode barcodes barrel barrier base based baseline basic basis basket batch
  batches bathroom bathrooms battery batting beacon bedroom bedrooms before begin beginning begins
  behavior behaviour behind below beneficiary benefit better between beyond bias bidder bidders
  bidding biggest bill billable billboard billed billing bin binary bins biological biopsy birth
  birthday blacklist blank blended blocked blood body bold bonus book booked booking bookings
  bookmark boost border borrowed borrower bottle bottom bounce bounced bound bounds bowler bowling
  box bracket brake branch brand breached breakfast breathing brief bright broadcast broker
  brokerage browse browser budget budgeted buffer builder building built bulk bulletin bundle
  bundled bureau burned business button buyer buying bypass byte bytes cabinet cable cache calculate
  calculated calculates calculation calculations calculator calendar call called caller calling
  campaign campaigns campus canceled cancellation cancelled cancels cancer candidate capable
  capacity capital caption captured carbon card cardholder care caregiver cargo carried carrier
  carries cart carton cartridge case cases cash casual catalog catch categories category caught
  ceiling celebrity cell cellular census center central centre century ceremony certain certificate
  certification certified chairman chamber chance change changed changes channel characteristic
  characters charge charged charges chart chassis chat check checked checkin checkout checksum
  cheque chief child children choices choose chosen chronic circle circuit circulation cited citizen
  citizens city civil claim claimant claimed clarity class clause clean cleaning clear clearance
  cleared clearing click clicked clicks client climate clinic clinical clock clone close closed
  closest closing clothing cloud club clubs cluster clusters coating code codes cohort coinsurance
  cold collaborator collected collecting collection collective collision color column combined
  comment comments commerce commercial commission commitment committed common communication
  communications compact company comparable compare compared comparison compensation competition
  competitor complained complete completed completeness completion complex complexity compliance
  component composer composite composition compound compressed compression computed computer
  concentration concept concern concurrent condition conduct conducted conference confidence
  confidential config configuration configured confirm confirmation confirmed conflict congestion
  connect connected connecting connection consecutive consent considered consistency consolidated
  constant construction constructor consultant consultation consumed consumer consumption contact
  contacts contained container containing contains content contents contest continent continued
  continuous contract contractor contractual contributed contribution control controlled controls
  convention conversion convert converted converter conviction cook cookie cooking cooling
  coordinate coordinates coordinator copay copied copper copyright core coronavirus corporate
  correct corrected correction correlation cosmetic cost costs cough council count counted counter
  country counts county couple coupon course cover coverage covered crash crashes created creating
  creation creative creator credit credits criminal critical crm crossed crossing cruise cubic
  cultural culture cumulative curator currency current cursor curve custom customer customers
  customization customs cutoff cycle daily damage damaged danger dashboard data database date dates
  datetime day days deactivated deadline deal dealer dealt death deaths debit debug decay deceased
  decimal decimals declared declined decreased deducted deductible default deferred defined
  definition degree delay delayed delays delegate delegated deleted deleting deletion deliverable
  delivered deliveries delivery delta demand demographic demographics density dental department
  departure depend deployed deposit deposited depreciation depth deputy derived description design
  designated desired desk desktop destination detail details detected detection determined
  development deviation device diagnosis diagnostic diameter different differential difficulty
  digest digital digits dimension dinner diploma direct directed directory disability disabled
  disabling disbursed disbursement discharge discharged disclosure discontinued discount discounted
  discounts discovered discovery discrepancy disease dismissed dispatch dispatched dispensed display
  displayed disposal disposed disposition dispute disputed disqualified distance distances distinct
  distributed distribution district diverted divided dividend dividends division dock doctor
  document documents dollars domain domestic dominant donated donor door dosage double down download
  downloads downstream downtime draft drafted drain drawn drill drive driven driver driving dropoff
  dropped dropship drought dual due duns duplicate duplicated duplicates duration during dwell
  dynamic earlier earliest early earned earning earnings ease eastern easting ecommerce economic
  economy edge edited edition education educational effective efficiency effort elapsed elastic
  elected electric electrical electricity electronic element elevated elevation eligibility eligible
  eliminated email emailed emails embedded embedding emergency emission emotional employed employee
  employees employer empty enable enabled enables encoded encoding encounter encrypted encryption
  end ended ending endorsed endpoint enemy energy enforced enforcement engaged engagement engine
  engineering english enhanced enrolled enrollment ensure entered enterprise enters entire entitled
  entitlement entity entrance entries entry environment episode equal equipment equity era error
  errors escalated escrow essential established establishment estate estimate estimated ethnic
  ethnicity evaluated evaluation evening event events evidence exact exactly examination exceeded
  except exception excess exchange exchanged excluded excludes exclusive executes execution
  executive exempt exempted exemption exhaust exist existing exists exit exited expanded expectancy
  expectation expected expenditure expense expenses expensive experience expiration expired expires
  expiry explicit exploration exponent export exported exposed exposure expression extended extends
  extension extent exterior external externally extra extracted extraction extraordinary fabric face
  facilities facility facing fact faction factor faculty failed failing failure fair family famous
  fare fastest fatalities favorite fax feature featured features federal federation fee feedback
  feeding fees feet female fertility fertilizer fiber fiction fiduciary field fielding fields
  fighter file filename files fill filled filler film final finance financed financial financing
  finished finishing fired fires firmware first fiscal fishing fitness fixed fixing fixture flag
  flags fleet flexible flight floating floor floors flow focus folder followed follower following
  follows font food force forced forces forecast foreign forfeit forfeited forgotten form formal
  format formatted former formula forward fossil foster found foundation founded founder fourth
  fraction fragment frame fraud free freeze freezer freight frequency fresh friday friendly from
  frozen fuel fulfil fulfillable fulfilled fulfillment fulfilment full function functional fund
  funded funding funeral furnished future gain gained gains gallery gallons gaming garage garden
  gateway gathering gauge gender general generate generated generates generation generator genetic
  geocode geographic geography geometry gift given gives giving global goal goals going gold good
  goods governance governing governor grade graded grading graduated graduation grand grant granted
  graphic gravity great greeting grid gross ground group grouped grouping groups growing grown
  growth guarantee guaranteed guarantor guardian guest guid guidance guided habitat handicap handle
  handled handles handling happened hard hardship hardware harmonized harvest hash hashed having
  hazard head headcount header headers heading headline health heat heated heating heavy height
  heights held help helper helpful hidden hierarchy high higher highest highway hint hire hired
  hiring historic historical history hits hold holder holiday home homeless homepage honor
  horizontal hospital host hosted hosting hotel hour hourly hours household housing human humidity
  hundred hunting hybrid hygiene ideal identical identification identified identifier identify idle
  ignored illegal image images immediate immediately immigration immune immunization impacted
  implementation implemented implied import importance important imported impression impressions
  improved improvement inactive inbound incentive incentives inches incidence include included
  includes including inclusive income incoming incomplete increase increased increases increment
  incremental incurred indemnity independent index indexed indexes indicated indicator indirect
  individual individually individuals industrial industry infected infection inflation influence
  info informal information informed infrastructure ingredient inherited initial initialized
  initially initials initiated initiative injured injury inland inner innings inpatient input inputs
  inquiry insert inserted inserts inside inspected inspection inspector install installation
  installations installed installer installment installments instance instant instead institute
  institution institutional instructed instruction insurance insured insurer intake integer
  integrated integration integrity intelligence intended intensity intent intention interaction
  interactive interchange interest interested interim interior intermediate internal internally
  international internet interpreter interrupted intersection interval interview interviewed
  interviewer introduced introduction invalid invented inventories inventory inverse inverter
  invested investigator investor invitation invited invoice invoiced invoices invoicing involved
  involvement inward irrigation isolated isolation issuable issuance issue issued issuer issuing
  italic item itemized items iteration itinerary january job jobs join joined joining joins joint
  journal judgement judgment judicial july jumping june junior jurisdiction jury justice keep
  keeping kept kernel key keys keyword keywords kilometers kind kinds kingdom kit kitchen knowledge
  known label labeled labor laboratory labour lack lactation ladder lading landed landing landline
  landlord lane lanes language laps laptop large larger largest last lasted lasting late latency
  later latest latin latitude launch launched laundry layer lead leader leading leads leaf league
  learned learner learners learning leased least leave leaving lecture ledger left legacy legal
  legislation length lengths lenses lesson letter level levels liability liable liaison licence
  license licensed licensee lien lifecycle lifetime lift lighting likelihood likely likes limit
  limitation limitations limited line linear lines link linked liquid liquidity list listed listen
  listing listings literacy litigation live lived livestock living load loaded loader loading loan
  loans local locale locality localized located location locations lock locked locking locks lodging
  logged logger logging logical login logins logistics logo logout logs long longer longest
  longitude look loose loss losses lost lot lots low lower lowest loyalty luggage lunch machine
  machinery made magazine magnitude mail mailbox mailed mailing main maintain maintained maintainer
  maintenance major majority make makes male managed manager managers manages managing mandate
  mandatory manifest manner manual manually manufacture manufactured manufacturer manufacturing many
  map mapped mapping marathon march margin marginal marine marital mark marked marker markers market
  marketed marketer marketing marketplace marriage married mask mass massive master match matched
  matches matching material maternity matrix mature maturity max maximum maybe mayor mean meaning
  means measure measured measuring mechanic mechanical mechanism medal medals media median mediation
  medicaid medical medicare medication medications medicine medium meeting mega member members
  membership memo memory mental mentioned mentor menu merchandise merchant merge merged merger
  merging merit message messages messaging meta metadata meter metered method metric metrics metro
  midday middle midnight migrated migration mile mileage miles milestone military milk millions mine
  mineral minerals minimal minimum mining ministry minor minority minors minute minutes missed
  missing mistake mixed mixture mobile mobility mode model models moderate moderated moderation
  modern modification modifications modified modifier modifiers module moisture molecular monday
  monetary money monitor monitored monitoring monitors month monthly months more morning mortality
  mortgage motion mount mounted move moved movement moves movie moving multi multimedia multiple
  multiplier multiply municipal municipality music musician must muted mutual naics name named names
  naming narrative narrow national nationality native natural nature navigation near nearby nearest
  necessary need needed needs negative negotiated negotiation neighbor neighborhood nested net
  network neutral never new newborn newest newly newsletter next nickname night nightly nights node
  nodes noise nominal nominated nomination nominee none normal normalized northern northing notable
  notation note noted notes nothing notice notification notified notify novel november nuclear
  nullable number numbered numbers numerator numeric nurse nursing nutrition object objection
  observed observer obsolete obstacle obtained occupancy occupant occupants occupation occupied
  occur occurred occurrence occurrences occurs october odds odometer offence offender offense
  offensive offer offered office officer official offline offset offsets often older oldest omitted
  onboard onboarded onboarding once ongoing online onset opacity open opened opener opening openings
  opens operand operated operates operating operation operational operator opponent opponents
  opportunities opportunity opposite opted optical optimal optimized optional options orange order
  orderable ordered ordering orders ordinal ordinary organ organic organisation organization
  organizational organizer organs orientation oriented origin original originally originated
  origination originator orphan other others otherwise outbound outcome outdoor outer outgoing
  outlet outline outlook outpatient output outside outsourced outstanding outward overage overall
  overdraft overdue overflow overhead overlap overridden override overrides overtime overview owed
  owned owner owners ownership owns oxygen pace pack package packaged packages packaging packed
  packet packets packing pads page paged pagination paid paint painted pair paired pallet pallets
  panel paper parade paragraph parallel parameter parameters parcel parent parental parish parked
  parking parliament parole parse parsed parser part partial partially participant participated
  particle particular partition partner partners partnership parts party passed passenger passengers
  passing passive passport password past patch patent path patient patients patrol pattern paused
  pay payable payables payback payee payer paying payload payment payments payout payroll peak peaks
  pedestrian peer peers penalty pending pension people peoples percent percentage percentile perform
  performance performed performer performing period periodic periodicity periods peripheral
  permanent permission permitted person personal personality personnel perspective pets pharmacist
  pharmacy phase phone phones photo physical physically physician physics pick picked picker picking
  picklist pickup pickups picture pile pilot pinned pipeline pitcher pitches pitching pixel pixels
  place placed placement placements placing plain plaintiff plan planet planned planner planning
  plans plant planted planting plasma plastic plate platform platinum played player playing playlist
  please pledge pledged plot plots plug plugin plugins plural plus pocket podcast point pointer
  points poles police policies policy political polled polling pollutant pollution polygon pool poor
  popular popularity populated population port portable portal portion position positioned
  positioning positive possession possible post postage postal postcode posted poster posting
  postpaid postponed potential pounds poverty power powered practical practice precipitation precise
  precision predicted prediction predictor preferred prefix prefixes prefs pregnancy pregnant
  preliminary premier premise premises premium prenatal prep prepaid preparation prepare prepared
  preparer prescribed prescriber prescription presence present presentation presented presenter
  preset president pressed pressure pretax prevailing preview previous previously price priced
  pricelist prices pricing primary prime principal print printed printer printers printing prints
  prior prioritized priority prison privacy private privilege privileges probability probable
  probation probe procedure procedures proceed proceeding proceeds process processed processing
  processor procurement produce produced producer product production products profession
  professional profile profit profitable profits prognosis program programming progress prohibited
  project projected projection projections projects promised promo promoted promoter promotion
  promotional prompt prompted prompts proof property proportion proposal proposed prospective
  protected protection protein protest protocol protocols prototype proven provide provided provider
  provides providing province provincial provision provisional provisioned proxies proxy public
  publication publicity publicly published publisher publishing pull pulled pulse pump pumps punch
  purchase purchased purchaser purchasing pure purge purged purple purpose purposes push pushed
  pushes qualification qualified qualifier qualify qualifying quality quantity quarantine quarter
  quarterly query question questionnaire queue queued quick quiet quota quotation quote quoted race
  races racing rack radar radius railway rainfall raise raised raises random range ranges ranging
  rank ranked ranks rapid rare rate rated rates rather rating ratio rationale raw reach reached
  reaches reaction reactive read readable reader readers readiness reading readmission reads ready
  real reality realized really reaper reason reasons reassigned reassignment rebate rebates rebill
  recall recalled receipt receivable receivables received receiver receives receiving recent
  recently receptionist recharge recipe recipient reclaimed recognition recognized recommend
  recommendation recommended reconcile reconciled record recorded recorder records recover recovered
  recovery recruiter recruiting recruitment rectangle recur recurrence recurring recycled redeem
  redeemed redemption redemptions redirect redirected reduce reduced reduces reduction reference
  referenced referer referral referred referrer referring reflected refresh refreshed refund
  refundable refunded refunding refunds refused regarding regenerate regime region regional register
  registered registering registration registry regression regular regulated regulation regulator
  regulatory rehab reimbursed reimbursement reinsurance reissued rejected rejection rejections
  rejects related relates relation relationship relative relay release released relevance relevant
  reliability reliable relief religion religious remain remainder remaining remains remark remarks
  remediation remember remind reminded reminder remit remittance remote removable removal removals
  remove removed removes render rendered rendering renewable renewal renewed renewing renews
  renovated rent rental rented renter reopen reopened reorder rep repair repaired repay repayable
  repeat repeatable repeated repeats replace replaceable replaced replacement replacements replaces
  replica replicas replied reply report reported reporting reports repository represent
  representation representative represented representing represents reprint republic reputation
  request requested requester requesting requestor require required requirement requires requisition
  resale rescheduled rescue research researcher reseller reservation reserve reserved reserves reset
  resets residence residency resident residential residual residue resigned resistance resolution
  resolve resolved resolver resort resource respected respective responded responder response
  responses responsibility responsible restart restaurant restock restocked restored restrict
  restricted restriction restructured result resulted resulting results resume resumed resumes
  retail retain retained retainer retention retired retirement retries retrieved retry return
  returnable returned returning returns reusable revenue revenues reversal reverse reversed review
  reviewed reviewing revised revision revoked reward rewarded ride rider right rights ring ringing
  rise rises rising risk role roles rollback rolled roller rolling rollout roof room root roster
  rotate rotated rotation rounded rounding rounds route routed routine routing row rubber rule
  ruling runner running runs runtime rural sabbatical safe safety salaried salary sale sales
  salesman salesperson saline salutation same sample sampled samples sampling sandbox satisfaction
  satisfied saturation saturday save saved saver saves saving savings scale scaled scaling scan
  scanned scanner scanning scarcity scene scenes schedule scheduled scheduler scheduling schema
  schemas scheme scholar scholarship school science sciences scientific scientist scope scoped score
  scored scores scoring scrap scraped scrapped scratch screen screened script scroll scrolled sealed
  search searchable searched searching season seasonal seasons seat seated seating second secondary
  seconds secret secretary secrets section sector secure secured security seeds seeking seen segment
  segmentation seismic seizure select selected selecting selection selector self sell seller selling
  sells semester senate send sender sending sends senior sensitive sensitivity sensor sent sentence
  sentiment separate separated separation separator september sequence sequential serial serialized
  series serious serve served server serves service serviced services serving servings session
  sessions set setting settings settle settled settlement setup seven several severe severity sexual
  shape share shared sharing sheet shell shelter shift shifted ship shipment shipments shippable
  shipped shipper shipping shop shopper shopping short shortage shorted shortfall shots shoulder
  show shower showing shown shrink shuffle shutdown sic sick side sight sign signal signatory
  signature signed signer signers significant signing signup silent silver similar similarity simple
  simplified simulated simulation since single site situation size sizes sizing skill skilled skip
  skipped skips sla slack sleeping sleeve slice slot slow slug small smaller smallest smart smoker
  smoking smooth snapshot social socket software soil solar sold soldier sole solid solution solve
  solved solver something sort sorted sorting sorts sought sounds source sourced sourcing southern
  space spaces spacing spam span spare spatial speaking special specialist specialization
  specialized specialty species specific specified specifies specimen speed spend spender spending
  spends spent spinal split splits splitting spoken sponsor sponsored sport sporting spot spouse
  spread square squared stability stable stack stadium staff staffed staffing stage staged stages
  staging stake stakes stale stamp stamped stamps standard standardized standby standings start
  started starter starting starts state stated states static station statistic statistical stats
  status statute stay stayed staying stays steady steering stem step sterile sticky stitch stock
  stocked stocking stolen stomach stop stopped stopping storage store stored storefront stores
  storing story strain strategic strategy stream streamed streaming street strength stress strict
  strike strikes string strip strong structural structure structured student students studied studio
  studios style subcategory subject submarine submission submit submits submitted submitter
  submitting subrogation subscribed subscriber subscribing subscription subsequent subset subsidiary
  subsidies subsidized subsidy substitute substituted subtotal subtype subtypes suburb subway
  succeeded success successful successfully successor sudden suffix sugar suggest suggested suite
  sulfur summarized summary summer summit sunday sunrise sunset superior supervised supervision
  supervisor supplemental supplementary supplied supplier support supported supporter supporters
  supporting supports suppressed suppression surcharge surcharges surface surge surgeon surgery
  surgical surname surplus surrender surveillance survey surveyed survival survived survivor suspend
  suspended sustainable swap switch switched switches switching syllabus symbol symptom sync synced
  synchronized syndrome synonym syntax synthetic system systematic systolic table tackle tactic
  tagged tagging tags taken takes taking talent talk tall tank tape target targeted targeting tariff
  task tasks taught tax taxable taxation taxed taxes taxonomy taxpayer teach teacher teaching team
  teams technical technician technique telecom telephone television temperature temperatures
  template temporal temporarily temporary tenant tender tenders tenure term terminal terminated
  termination terms terrain terrestrial territory test testament tested tester testing text texture
  their theme therapist therapy thickness thing things think third thousand thousands thread threads
  three threshold through throughput throwing thumbnail thursday tick ticker ticket ticketing
  tickets tier till time timed timeframe timeline timely timeout timer timers timesheet timestamp
  timezone timing tips tissue title titled tobacco today together token tokens tolerance tomorrow
  tone tonnage tonnes tool tooling topic torque total totals touch touched touches tourism tourist
  tournament toward town townships trace traceability tracing track tracked tracker tracking tract
  traction tractor trade traded trademark trading traditional traffic trail trailing train trained
  trainee training trans transacted transaction transactional transactions transfer transferred
  transferring transform transformed transformer transit transition transitioned translated
  translation transmission transmitted transmitter transparent transplant transport transportation
  transporter trash travel traveled traveling travels treasury treat treated treating treatment
  treaty tree trend trending trial tribal tribunal tried tries trigger triggered triggering trim
  trimmed trip triple true truncated trust trusted tuesday tuition tuned tunnel turbine turn turned
  turning turnover tutorial twelve twenty twice type typed types typical ultimate ultimately unable
  unallocated unapplied unassigned unavailable unbilled uncertainty unchanged uncollected underlying
  understand understanding undertaken underway underwriter underwriting undo unemployment
  unfulfilled uniform uninstalled union unique unit units universal universe unknown unless unlike
  unlimited unlock unlocked unmatched unpaid unpublished unqualified unread unrealized unrelated
  unreserved unscheduled unsettled unsigned unsold unspecified unsubscribe unsubscribed untaxed
  until unused unusual unverified unwanted upcoming update updated updater updates updating upgrade
  upgraded uploaded uploader uploading uploads upper upside upstream uptake uptime upward urban
  urgency urgent url usable usage used useful user username users using usual usually utility
  utilization utilized uuid vacancies vacancy vacant vacation vacations vaccinated vaccination
  vaccine vacuum valid validate validated validates validation validator validity valley valuable
  valuation value valued values valve variable variance variances variant varied varieties variety
  various vary vat vector vectors vegetable vehicle velocity vendor vendors ventilation venture
  ventures verbal verification verifications verified verifier version versioned versions versus
  vertex vertical vessel veteran veterans via victim victims victory video view viewable viewed
  viewing viewport views village vintage violation violence virtual viscosity visibility visible
  vision visit visited visiting visitor visits visual vital vitamin voice void voided volatile
  volatility voltage volume voluntary vote voted votes voting voucher vulnerability vulnerable wage
  wait waited waiting waitlist waitlisted waits waived waiver walked walking wallet walls want
  wanted warehouse warm warn warned warning warrant warrants warranty washed waste watch watched
  watcher watchers watching water watershed waves wealth weapon weapons wearing weather web webhook
  website wedding wednesday week weekday weekend weekends weekly weeks weigh weighed weighing weight
  weighted weighting welcome welfare wellness wells western wheel wheels when whether which while
  whitelist wholesale wide width widths will willing winding window windows winds wings winner
  winning wins wire wired wireless wiring wished with withdraw withdrawal withdrawals withdrawn
  withheld withholding within without won word work worked worker workflow working workload
  workspace worldwide worst worth wounds wrap wrapped wrapping write writer writes written wrong
  year yearly years yellow yesterday yield yields young younger youngest zero zip zipcode zone zoned
  zoning
`)

/** Words made of words above that are words of English, or name one thing, so that they are not cut. */
export const WHOLE_WORDS: readonly string[] = words(`
  adjustor allspice alternation alternations anglesite answerphone apicultural apiculture
  apicultures apitherapy apprenticeship apprenticeships arrestor associateship attorneyship
  attorneyships auditor authorship autocorrelation autograph autographic autographs autoimmune
  autoimmunization automobile autopilot autopilots autostability autotransformer backboard
  backcountry backcrossing backdoor backfield backfired backfires backlogged backlogging backpack
  backpacked backpacking backroom backseat backside backsight backslider backsliders backspaces
  backspacing backstage backstay backstays backstitch backstop backstopping backstreet backtrack
  backward backwards backwater badgering bandleader bandmasters bandwidth bandwidths bankbook
  bankcard banknotes bankroll bankrolled bankrolls barrelhead barrelhouse barrelhouses baselines
  basketwork beforetime betweentimes billboards billingsgate billowed billposter billposters
  birthdays birthmark birthplace birthrate birthrates birthright blankbook blockhead blockhouse
  boardroom boathouse boatload bodybuilder bodybuilders bodybuilding bodywork bookcase bookcases
  bookend bookkeeper bookmarkers bookmarks bookmobile bookrack bookseller bookshelf bookshelves
  bookshop bookstack bookstall bookstore bookstores borderline borderlines boxroom breakdown
  breakout breakthrough briefcase briefcases brightwork builtin bulkhead businessperson buyback
  cabinetwork cablevision callas callback callused callusing canfield cannot canon cardboard
  carefree caregiving cartwheel cartwheels casebook casein caseload casework caseworker cashback
  cashbook catchphrase cellblock cellphone cellphones centerpiece centerpieces chairmanship
  chairmanships chatline chatlines chatroom chattier checkbook checkbox checklist checkoff
  checkpoint checkpoints checkroom childbirth childproof choregraphic churchgoing citizenship
  citywide classroom classrooms classwork clearinghouse clearinghouses clearstories clearstory
  clockwork clockworks closeout closets clubfeet clubhouse codebook coffeecake coffeecakes
  coffeehouse coffeehouses coldshoulder commentator commonplace commonwealth compactor companionship
  condonation condonations conductor congresspeople congressperson convertiplane cookbook cookbooks
  cookout copperas copperhead copperheads copperplate copyedit copyedits copyholds copyreaders
  copyreads cornerstone councilperson countdown counterargument counterarguments counterattack
  counterattraction counterbalance counterbalancing counterbidding counterclaimant counterclaimed
  counterculture countercultures counterintelligence countermarch countermeasure countermeasures
  countermoves counteroffensive counteroffer counterpart counterparts counterpetition counterplot
  counterplots counterpoint countersigning countersurveillance counterweigh countryside couplets
  coursebook coursework courthouse courtroom courtrooms courtship courtside coverall coverts
  cratering crossover curatorship curatorships curvets custodianship databank datapoint datebook
  dateline datelines daybreak daycare dayflower dayflowers daytime dealership dealerships deathday
  deathwatch deathwatches defector departmental digitalin dinnertime diplomats dishonor dishwater
  doorhandles doorstep doorstop doubleheaders doublethink doused dousing downfield downgraded
  downgrading downlink downloaded downloading downplayed downplaying downright downriver downshifted
  downside downsizing downstate downtick downtown downward drainboard drainboards drillmaster
  drillmasters drillstock drugstore drugstores duelist duets endgame endowed endpoints entryphone
  extrajudicial extralegal extramarital extranuclear extraterrestrial fabricator facedown facets
  fairground fairlead fairleads farewells farmhouse feedlots fieldstone fieldwork fieldworker
  fightback figurehead filenames firestone flagon flagpoles flagship flagstaff floorboard
  floorboards floorshow forklift formalin framework freebase freebased freehold freeholder freeholds
  freeloader freeloading freephone freestyle freewheels freewill freshwater friendship friendships
  fruitcake fullback gatecrashes generalship goalpost goalscorer goalscorers goaltender goaltenders
  goodnight goodwill goodyear governorship governorships grandchild grandchildren grandmaster
  grandmasters grandparent grandparents grandstanding gridlock gridlocks groundwork groupthink
  guardianship guestbook guesthouse guestroom guidebook guidebooks guideline guidelines guidon
  handbook handbooks handout handouts handset handsets
  handicapper handover harbormaster harbormasters hardcore hardhead hardships hardwired hardworking
  hashtags hastier headband headboard headcase headcases headcounts headfirst headhunting headlines
  headlock headlocks headlong headmaster headmasters headphone headphones headpiece headquarter
  headquarters headreach headroom headscarf headset headship headshrink headstall headstone
  headstrong headwaiter headwaiters headwinds headword healthcare heatwaves heavyset heavyweight
  heavyweights heroin highlighting holdall holdout homebody homegrown homemade homeowner homeowners
  homering homeroom hometown homeward homework homeworker homeworking houseboat housecleaning
  houseguest householder househusband househusbands housemasters housework humankind hundredweight
  hundredweights idealist idealists innersole inspectorship inspectorships into intonation
  invalidator isodynamic isoelectronic isoimmunization isolate jobholder jobshare joints judgeship
  justiceship keyboard keyboards keynote keynoted keynotes keypads keystone lakeside lapstone
  launchpads layoff leadership leaseholds lectureship lectureships lesseeship letterhead liftoff
  listenable livelong livemode loanword lockbox lockout lockstep loggerhead loggerheads logographic logotype
  logotypes longboat longeron longtime lookout lookup lotto lowdown lunchbox lunchroom lunchtime
  lunchtimes macroeconomic macromolecular macrophysics maillot maillots mailshot mailshots mainframe
  mainline mainlines mainstay mainstays mainstream mainstreamed makeup malefaction malefactions
  mapper markdown markup masterclass masterpiece masterpieces mastersinger masterwork matchbook
  matchbox matchlock matchlocks maxwells mayorship mealtime mealtimes meantime meanwhile mediants
  megabyte megadeath megadeaths megaphone megatonnage megavitamin mentorship mentorships metafiction
  metalanguage metaphysical metaphysically metaphysics metaprotein metastability metropolitical
  middleweight milepost mileposts minas minefield minefields mineralist mineralists mineralogical
  mintier mints moderates moderating moneybox motorbike motorbikes motorboat motorcycle motorcycles
  multicentral multicultural multiethnic multifunctional multilane multinational multinuclear
  multiprogramming multitask multivitamin multivitamins musicianship nationwide netbook networked
  networking nevermore newfound newts nightclub nightclubs nightshirt nightstick nighttime notepads
  objector occurring officeholder offload oftentimes onto ontogenetic ontological openwork organon
  overload packetboat packinghouse packinghouses paddleboard paintbox paintwork paperback
  paperweight paperweights paperwork parkin particleboard partnerships parton passbook passkey
  pastas pastor patentor paycheck paychecks payday paydays paymaster paymasters payoff payphone
  paywalls personas phonecard photocell photochemical photocomposer photocomposition photocopied
  photocopy photoelectrical photoelectricity photofinishing photograph photographic photographs
  photomechanical photometer photomultiplier photoreceptor photosensitive photosensitivity
  photosynthetic phototherapy pickin pickpocket pickpockets pillbox pillowed pilothouse pilothouses
  pinpoint pixellate placeholder plainspoken plants playback playbook playgoing playground playhouse
  playoff playroom plaything playthings playtime pleats plugboard pocketbook pocketbooks pointblank
  policyholder poolroom poolside poorhouse poorhouses portside postbox postcard postcards postcodes
  postdate postdates postgraduate postindustrial postmarital postmark postmarked postmaster
  postmasters postmodern postscript postseason postseasonal postsurgical powerhouse premiership
  premierships presidentship presidentships primetime printout prizefight prizefighter prizefighters
  prizefights projector proofread proofreaders proofreads prospector punchbowl punchline pushcart
  quarterback quarterbacked quarterfinal quartermaster quartermasters quarterstaff quicksilver
  quizmasters racetrack radarscope radarscopes rarefaction rarefactions ratepayer readership
  readopted readout reallocated receivership recurrent repasts reprise reprises reprising reproof
  rightsizing ringleader ringmaster ringmasters ringside riverbank riverboat riverside roadblock
  roadblocks roadhouse roadrunner roadside roadwork rollover roofgarden rooftree rooftrees roommate
  rowboat rowguid rowlock rowlocks rubricator saleroom salesmanship salespeople salesroom scantest
  scantier scants scholarships schoolbook schoolbooks schoolchild schoolchildren schooldays
  schoolhouse schoolmaster schoolmasters schoolroom schoolteacher schoolteachers schoolwork
  scoreboard scorecard scoreline scorelines scoutmaster scoutmasters scrapbook scrapbooked
  scrapbooking scrapbookings scrapbooks scrappage scrappages scrapper scratchboard scratchcard
  scratchcards scratchpads screenplay screenplays screensaver screenshots screenwriter secretaryship
  selloff sellout sendoff setback seton settable setts shareholder shellback shellfishing shellproof
  shipboard shipbuilder shipbuilders shipbuilding shiplaps shipowner shipowners shipshape shoebox
  shoestring shoestrings shoplift shoptalk shopwindows shortcake shortstop shortwaves showboat
  showcase showdown showerproof showjumping showoff showroom showstopper showtime shuffleboard
  shuffleboards sideboard sideline sidelines sideshow sidesplitting sidestep sidetrack sidetracked
  sidetracking sidewalls sightread signoff signor signpost signposted signposting silverback sitemap
  skinhead skinheads skiplane skipper slowcoach slowcoaches slowdown smalltimer songwriter
  songwriters spaceship spaceships spacewalked spacewalking speakerphone speechwriter speechwriters
  speedboat sponsorship spotlighting spreadsheet spreadsheets stagecoach stakeholder stakeout
  standpoint starboard starflower starflowers starfruit starring starship startup stateroom
  stateside statewide stationmaster stationmasters steakhouse steakhouses stepchild stepladder
  stepparent stepper stepson stockbroker stockbrokers stockholder stockpile stockroom stocktaking
  stoppage stopper stopwatch storehouse storeroom storyboard storyboards storybook streamline
  stressor strikeout stripper strongbox stronghold strongholds stubby studentship sugarcoating
  summerhouse summertime suretyship surgeonship surgeonships surveyor switchboard tablets takeoff
  takeover tankas tapeline tapelines tapering taskmaster taskmasters taxiplane taxon taxpayers
  taxpaying teammate teamwork telecommuted tempera temperamental tempts terminator textbook
  textbooks threescore threescores throughout timecard timelines timepiece timepieces timescale
  timescales timeserver timeservers timeserving timeshare timeshares timestamped timestamps
  timetable titleholder toastmaster toolbox touchdown touchline touchlines touchpoint touchscreen
  townhouse township townspeople tradeoff traitor transfixing transforms translate transmarine
  transmigrated transmutation transmutations transmuted transplanted transplanting transplants
  transportable transports transsexual triplane triplets tripper truckload turnip turnoff turnout
  turnsole turntable twelvemonth twelvemonths typeset typewriter typewriters typewrites typographic
  typological upload uppercase usernames videophone videotape viewpoint viewpoints voicemail
  voiceprint wagering waitperson waitstaff wanton wantonly wardroom warrantor wastebasket wastepaper
  watchtower watercolors waterlogged watermark waterproof waterwheels waterworks waypoint
  weatherstrip webfeet weblogs webmaster webmasters webpage webpages
  weekdays weekended weekending weeknights
  weightier wheelhouse whenas widespread willpower winepress wineshop wiredraw withdrawing withhold
  withholds withindoors withstanding wordbook workbasket workbook workday workdays workfare
  workforce workforces workgroup workhouse workout workplace workroom workshop worksite workstation
  worktable workweek worthwhile wrapper yearbook yearbooks zipper
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
