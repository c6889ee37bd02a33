// Things that tables hold a row of each of. Only these change their number: `oauth`, `news` and `daily` have
// none that a rule could find. Things of business, web, software, finance, people, places, care,
// nature and the house, by hand.

/** In the singular. */
export const COUNTABLE: readonly string[] = `
  abbreviation absence abstract abuse access_token accessory account accreditation accrual achievement
  acquisition action activation activity actor ad adapter addendum addon address adjudication adjuster
  adjustment admin admission adoption adult advance advertisement advertiser adviser advisor advisory
  affiliate agency agenda agent agreement aircraft airline airport aisle alarm album alert algorithm alias
  allergy alligator allocation allotment allowance alternative ambulance amendment amount analysis analyst
  ancestor animal anniversary annotation announcement annuity anomaly answer ant antibody apartment ape api
  app appeal apple appliance applicant application appointee appointment appraisal apprentice approval
  approver archive area arena argument arm arrangement arrest arrival article artifact artist aspect
  assembler assembly assessment assessor asset assignee assignment assistant association athlete attachment
  attempt attendee attorney attraction attribute auction audience audit author authority authorization
  avatar award axle backlog backorder backup badge bag bakery balance ballot band bank banner barcode barn
  barrier base basket bat batch bathroom battery bay beach beacon bean bear beard bed bedroom bee behavior
  behaviour bell bench benchmark beneficiary benefit berry bid bidder bike bill billboard billing bin
  biomarker bird birth block blockchain blog blueprint board boat body bolt bond bone bonus book booking
  bookmaker bookmark boot borrower bottle boundary bowl box bracket branch brand breach break breakdown
  brick bridge brief broadcast broadcaster brochure broker browser brush bucket budget bug build builder
  building bulletin bundle bureau burger bus bush business butcher butterfly button buyer bylaw cabin
  cabinet cache cake calculation calculator calendar calf call callback caller calorie camel camera
  campaign campus cancellation cancer candidate candle cane capability cape caption car card cardholder
  career caregiver cargo carpet carpool carrier cart carton cartridge case caseworker cashflow cashier cat
  catalog category caterer cathedral cause cave ceiling cell cemetery census center century ceremony
  certificate certification chain chair challenge challenger chamber champion championship change changeset
  channel chapter character characteristic charge charity chart charter chat chatbot check checkin
  checklist checkout checkpoint cheese chemical cheque cherry chicken child chimney choice chore church
  circle circuit citation city claim claimant class classification classroom clause clearance click client
  cliff clinic clinician clone closure cloud cluster coach coat cocktail code coefficient coffee cohort
  coin collaboration collaborator collar collateral colleague collection collector college collision colony
  color column combination combo commander comment commenter commission commit committee commodity
  community commuter companion company comparison compartment compensation competency competition
  competitor compilation complainant complaint complication component composition compound computation
  computer concentration concept concession conclusion condition condo conference configuration
  confirmation conflict congress connection connector consent consequence consignee consignment consortium
  constituency constituent constraint construct constructor consultant consultation consumer consumption
  contact container contaminant contest contestant context contingency contract contractor contribution
  contributor controller convention conversation conversion converter conviction cookie cooperative
  coordinate coordinator copay copy copyright core corner correction correlation correspondence corridor
  cost costume cottage council counsellor counselor countdown counter counterclaim counterparty country
  county coupon courier course court coverage cow coworker crab crate creator creature credential credit
  creditor creek crew crime criterion crop crossing crow cryptocurrency cube cucumber culture curator
  currency cursor curtain curve cushion custodian customer cutoff cycle cylinder daisy dashboard database
  datacenter dataset date day deadline deal dealer dealership death debate debit debt debtor decade
  decision deck declaration deduction deed defect defendant deferral deficiency definition degree delay
  delegate delegation deletion delivery demand demographic demonstration denial denomination department
  departure dependant dependency dependent deployer deployment deposit deposition depot derivative
  descriptor design designation designer desk dessert destination detail detainee detection detector
  determinant developer deviation device diagnosis diagram dialog diary dictionary diet difference
  dimension diner diploma direction directive director directory disability disaster disbursement discharge
  discipline disclosure discount discovery discrepancy discussion disease dish dispatch dispatcher
  dispensary display disposal disposition dispute disruption distance distribution distributor district
  dividend division dock docket doctor document dog dollar dolphin domain donation donkey donor door dosage
  dose dossier download draft draftee drawdown drawer drawing drill drink drive driver drone dropdown drug
  duck duplicate duration duty dwelling eagle ear earning ecosystem edge edit edition editor editorial
  education effect egg elbow election element elephant elevation elevator elf email embassy emergency
  emission emoji employee employer employment emu encounter encryption encumbrance endorsement endpoint
  engagement engine engineer engraving enhancement enquirer enquiry enrollee enrollment enterprise
  entitlement entity entrance entrant entry enum envelope environment enzyme epic episode equation era
  error escalation escrow estate estimate ethnicity evaluation event exam examination examiner exception
  excerpt excess exchange exclusion execution executive exemption exercise exhibit exhibition exhibitor
  exit expansion expectation expenditure expense experience experiment expert expiration explanation export
  exporter exposition exposure expression extension extract eye fabric facilitator facility fact faction
  factor factory faculty failure family fan faq fare farm farmer farmhouse farmland farmyard fatality fault
  favorite feather feature fee feed feeder fellowship fence festival fiction field fight fighter figure
  file filing filler film filter financing finding fine finger firewall firm fisher fisherman fishery
  fixture flag flashcard flavor fleet flight flock floor flow flower flyer foal folder follower food foot
  footer footnote forecast forecaster forest forfeiture fork form format formula forum forwarder foundation
  fox fraction fragment frame franchise franchisee freelancer frequency friend frog fruit fuel fulfillment
  function fund funnel furnace gallery gallon game gamer gap garage garden garment garnishment gate gateway
  gender generation generator genome genre gesture gift giraffe glacier glass glossary glove goal goat
  golfer good goose government governor grade grader graduate grain grandparent grant grantee grantor grape
  graph graphic greenhouse grid grievance group guarantee guardian guest guide guideline guild gun guru
  habit habitat hacker hammer hand handbag handler handover hangar harbor harvest hash hat hawk hazard head
  headache header heading headline hearing heart heartbeat hedge heifer helper hen herd hero hierarchy
  highlight hill hint hire histogram hive hobby hold holding holiday home homeowner homepage hoof hook
  horse hose hospital hospitalization host hostname hotel hotline hour house household hub hurdle husband
  hut hydrant hyperlink hypothesis icon idea identification identifier identity illness illustration image
  immunization impact implementation import importer impression improvement inbox incentive incident
  inclusion increase increment index indicator indictment individual industry infection influencer
  infraction ingredient initiative injection injury inmate inning innovation inpatient input inquiry insect
  insight inspection inspector installation installer installment instalment instance institution
  instruction instructor instrument insured insurer intake integration intent intention interaction
  interchange interest interface intermediary intern internship interruption intersection interval
  intervention interview invention inventor inverter investigation investigator investment investor
  invitation invite invoice island issue item iteration itinerary jacket jar jaw jersey job joint journal
  journey judge jug juice jurisdiction juror jury justification kernel kettle key keyword kidney kiosk kit
  kitchen knee knife lab label laboratory laborer ladder lake lamb lamp landlord landmark language laptop
  launch law lawn lawsuit lawyer layer layoff layout lead leader leaderboard leaf leaflet league leak
  learner lease leasee leave lecture lecturer ledger leg legend legislature lemon lender lessee lesson
  lessor letter level liability liaison library licence license licensee licensor lid lien lifecycle limit
  limitation line lineup link lion lip liquidation list listener listing litter liver lizard loaf loan
  lobby lobbyist local locale location locker lodge log logger login logo lookup loop lorry lot lottery
  lounge lung machine macro magazine mailbox mailer mailing maintainer manager mandate manifest manual
  manufacturer map mapping mare margin mark marker market marketer marketplace marriage mask master match
  matchup material matrix matter mattress maximum mayor meal measure measurement mechanic mechanism medal
  mediator medication medicine medium meeting melon member membership memo memorandum memory mention mentor
  mentorship menu merchant merge merger message meter method metric microservice migration milestone mill
  mine mineral minibar minimum minister ministry minor minute mirror missile mission mistake mixture
  modality mode model moderator modification modifier module moment monitor month monument mortgage
  mortgagee motel motion motor motorcycle mountain mouse mouth movement movie museum mushroom mutation nail
  name namespace napkin narrative nation native navigator neck needle neighbor neighborhood nest net
  network newborn newsletter newspaper niche nickname node nomination nominee nonprofit norm nose notary
  notation note notebook notice notification notifier number nurse nut nutrient oak oasis object objection
  objective obligation obligor observation obstacle occasion occupant occupation occurrence ocean offence
  offender offense offer offering office officer offset olive omission onion opening opera operation
  operator opinion opponent opportunity optimization option orange orchard orchestra order ordinance
  organisation organiser organism organization organizer orientation origin originator outage outbreak
  outcome outlet outlier outpatient output oven overdraft overhead overlay overpayment override overtime
  overview owl owner ox oxide package packet pad paddle page paint painting pair pallet pan panel panelist
  paper parade paragraph parameter parcel parent park parliament parrot part participant participation
  partition partner party pass passcode passenger passkey passport password pastry pasture patch path
  pathogen pathway patient patron pattern pause paycheck payee payer payload payment payor payout payroll
  payslip paystub peach peak pear peer pen penalty pencil pension pepper percentage percentile performance
  performer period permission permit permittee permutation person persona perspective pet petition
  petitioner pharmacist pharmacy phase phenotype phone photo photocopy photographer phrase physician picker
  pickup picture piece pig pigeon pill pillow pilot pin pine pipe pipeline pitcher pixel pizza place
  placement plaintiff plan planet plank planner plant planting plate platform play player playlist plea
  pledge plot plug plugin plum pocket podcast poem poet point pointer policy poll polygon pond pony pool
  population popup port portal portfolio portion position possession post postcard postcode poster posting
  pot potato pottery pouch pound practice practitioner pram precedent precinct precondition predecessor
  predicate prediction predictor prefecture preference prefix pregnancy premise premium preparation
  preregistration prerequisite prescriber prescription presentation presenter preset president press
  preview price pricebook primer principal print printer priority prison prisoner privilege prize
  probability probe problem procedure proceeding process processor procurement procurer producer product
  production profession professor profile profiler program programme progression project projector promise
  promo promoter promotion prompt property proportion proposal proposition prosecutor prospect prospectus
  protein protest protocol prototype provider province provision proxy pseudonym publication publisher pull
  pump pumpkin pupil purchase purchaser purpose push puzzle qualification qualifier quality quantile
  quantity quarter query question questionnaire queue quiz quota quotation quote rabbit race racer rack
  radish raffle raid railway rake ram ranch range ranger ranking rat rate rating ratio reaction reactor
  reader reading readmission reagent reason rebate recall receipt receivable receiver reception receptor
  recharge recipe recipient recital recommendation reconciliation record recorder recording recovery
  recruit recruiter recurrence redemption redirect redirection reduction reef referee reference referendum
  referral referrer refill reflection refresh refugee refund refusal region register registrant registrar
  registration registry regression regulation regulator reimbursement reinsurer rejection relation
  relationship relative relay release religion remark remediation reminder remittance remortgage removal
  renewal renovation rent rental renter reorder repair repayment repeat replacement replica reply report
  reporter reporting repository representative reprint request requester requestor requirement requisition
  resale rescue researcher reseller reservation reset residence residency resident resignation resolution
  resort resource respondent responder response responsibility restart restaurant restock restriction
  result retailer retainer retention retirement retry return reversal review reviewer revision revocation
  reward rhythm rib ribbon ride rider ridge right ring risk river road robot rocket role roll roller
  rollout rollup roof room root rope rose roster rotation round route router row royalty rubric rug rule
  rumor run runner runtime runway saddle sail sailor salary sale salesman salesperson sample sanction
  sandbox sandwich sapling satellite sauce sausage saving saw scaffold scale scan scanner scarecrow scarf
  scenario schedule schema scheme scholar scholarship school scientist scooter scope score scorecard scorer
  scout screen screening screenshot script sculpture seal search searcher season seat secret secretary
  section sector security seed segment selection seller semester seminar senate senator sender sensor
  sentence sentiment sequel sequence serial series server service session setback setting settlement setup
  sewer shape shard share shareholder shark shed sheepdog sheet shelf shell shelter shepherd shield shift
  ship shipment shipper shipyard shirt shoe shop shopper shortage shortcut shortlist shot shoulder show
  showing showroom shutdown shuttle sibling sidecar sign signal signatory signature signee signer signoff
  signup silo simulation simulator singer site sitemap situation skater skill skin sku skull sled slice
  slide slider slipper slogan slot slug smoker snail snake snapshot snippet society sock socket sofa
  solution solver song soundtrack source space spacecraft spade span sparrow speaker spec specialist
  specialty species specification spectator spectrum speech spice spider spill split spokesperson sponsor
  sponsorship spoon spot spouse spreadsheet sprint stable stack stadium staffer stage stake stakeholder
  stall stamp standard standing standup star starter startup state statement station statistic status
  statute steak steer stem step stick sticker stock stockholder stocking stockout stomach stone stop store
  storefront stork story stove strain strand strategy streak stream streamer street strength strike string
  stripe structure stub student studio study style stylist subaccount subcategory subcontract subcontractor
  subdivision subdomain subfolder subgroup subitem subject submission submitter subnet subplan subproject
  subscriber subscription subsegment subset subsidiary subsidy substance substitute substitution subtask
  subtenant subtitle subtotal subtype suburb subvention successor suffix suggestion suite sum summary
  summit supermarket superuser supervisor supplement supplier supply surcharge surety surface surgeon
  surgery surname survey surveyor survivor suspect suspension swan swap sweater swimmer switch sword
  syllabus symbol symptom sync syndicate syndrome synonym system tab table tablespace tablet tactic tag
  takeaway takedown talk tank tap target tariff task tax taxon taxonomy taxpayer teacher team teammate
  technician technique technology telephone temperature template tenancy tenant tender tent term terminal
  territory test testament tester testimonial testing text textbook theater theme theory therapist therapy
  thief thigh thing thorn thread threat threshold throat thumb thumbnail ticker ticket tide tie
  tier tiger time timecard timeframe timeline timeout timer timesheet timeslot timestamp timetable timezone
  tip tire tissue title toad toast toe toggle token tolerance tomato tongue tool toolbox toolkit toolset
  tooltip tooth topic topping torch touch touchpoint tour tourist tournament towel tower town toy trace
  track tracker tractor trade trademark trader tradition traffic_source trail trailer train trainee trainer
  training trait transaction transcript transfer transferee transformation transformer transfusion transit
  transition translation transmission transplant transport transporter travel traveler traveller treatment
  treaty tree trend trial tribe tribunal trick trigger trio trip trophy trough trouser truck truckload
  trumpet trunk trustee tub tumor tunnel tuple turbine turkey turn turnaround turnover turtle tutee tutor
  tutorial tweet twig type typo udder umbrella uncle underwriter union unit university unlock update
  updater upgrade upload uploader upstream url user usergroup username utensil utility vacancy vacation
  vaccination vaccine validation validator valuation value valve van variable variant variation vase vector
  vegetable vehicle vein velocity vendor venture venue verdict verification verifier version vertex vessel
  veteran victim victory video view viewer village vine vineyard violation violator visa visit
  visitor vital vitamin vlan vocabulary voice voicemail voiceover voltage volume volunteer vote voter
  voucher voyage vulnerability wage waiter waitlist waiver wall wallet walnut ward warehouse warning
  warrant warranty wasp watch watcher watchlist waterfall watershed wave way waypoint weapon wearable
  webhook webinar website wedding weed week weekday weekend weight weighting well wetland whale wheel whip
  whitelist whitepaper wholesaler wicket widget wife window wine wing winner wire wish wishlist witness
  wolf woman word work workbook worker workflow workgroup worklist workload workout workplace worksheet
  workshop workspace workstation worm wrapper wrist writer yard year yield yolk zebra zip zipcode zone
`
  .trim()
  .split(/\s+/)
