// Things that tables hold a row of each of. Only these change their number: `oauth`, `news` and `daily` have
// none that a rule could find. Things of business, web, software, finance, people, places and care, by hand.

/** In the singular. */
export const COUNTABLE: readonly string[] = `
  abbreviation absence abstract abuse access_token accessory account accreditation accrual achievement
  acquisition action activation activity actor ad adapter addendum addon address adjudication adjuster
  adjustment admin admission adoption adult advance advertisement advertiser adviser advisor advisory
  affiliate agency agenda agent agreement aircraft airline airport aisle alarm album alert algorithm alias
  allergy allocation allotment allowance alternative ambulance amendment amount analysis analyst ancestor
  animal anniversary annotation announcement annuity anomaly answer antibody apartment api app appeal
  appliance applicant application appointee appointment appraisal apprentice approval approver archive area
  arena argument arrangement arrest arrival article artifact artist aspect assembler assembly assessment
  assessor asset assignee assignment assistant association athlete attachment attempt attendee attorney
  attraction attribute auction audience audit author authority authorization avatar award backlog backorder
  backup badge bag balance ballot band bank banner barcode barrier base basket batch bathroom battery beacon
  bed bedroom behavior behaviour benchmark beneficiary benefit bid bidder bike bill billboard billing bin
  biomarker birth block blockchain blog blueprint board boat body bond bonus book booking bookmaker bookmark
  borrower bottle boundary bowl box bracket branch brand breach break breakdown brief broadcast broadcaster
  brochure broker browser bucket budget bug build builder building bulletin bundle bureau burger bus
  business button buyer bylaw cabin cabinet cache cake calculation calculator calendar call callback caller
  camera campaign campus cancellation cancer candidate capability caption car card cardholder career
  caregiver cargo carpool carrier cart carton cartridge case caseworker cashflow cashier catalog category
  caterer cause cell cemetery census center century ceremony certificate certification chain challenge
  challenger chamber champion championship change changeset channel chapter character characteristic charge
  charity chart charter chat chatbot check checkin checklist checkout checkpoint chemical cheque child
  choice chore church circle circuit citation city claim claimant class classification classroom clause
  clearance click client clinic clinician clone closure cluster coach cocktail code coefficient coffee
  cohort coin collaboration collaborator collar collateral colleague collection collector college collision
  colony color column combination combo commander comment commenter commission commit committee commodity
  community commuter companion company comparison compartment compensation competency competition competitor
  compilation complainant complaint complication component composition compound computation computer
  concentration concept concession conclusion condition condo conference configuration confirmation conflict
  congress connection connector consent consequence consignee consignment consortium constituency
  constituent constraint construct constructor consultant consultation consumer consumption contact
  container contaminant contest contestant context contingency contract contractor contribution contributor
  controller convention conversation conversion converter conviction cookie cooperative coordinate
  coordinator copay copy copyright core corner correction correlation correspondence corridor cost costume
  council counsellor counselor countdown counter counterclaim counterparty country county coupon courier
  course court coverage coworker crate creator creature credential credit creditor crew crime criterion
  crossing cryptocurrency cube culture curator currency cursor curve custodian customer cutoff cycle
  cylinder dashboard database datacenter dataset date day deadline deal dealer dealership death debate debit
  debt debtor decade decision declaration deduction deed defect defendant deferral deficiency definition
  degree delay delegate delegation deletion delivery demand demographic demonstration denial denomination
  department departure dependant dependency dependent deployer deployment deposit deposition depot
  derivative descriptor design designation designer desk dessert destination detail detainee detection
  detector determinant developer deviation device diagnosis diagram dialog diary dictionary diet difference
  dimension diner diploma direction directive director directory disability disaster disbursement discharge
  discipline disclosure discount discovery discrepancy discussion disease dish dispatch dispatcher
  dispensary display disposal disposition dispute disruption distance distribution distributor district
  dividend division dock docket doctor document dog dollar domain donation donor door dosage dose dossier
  download draft draftee drawdown drawer drawing drill drink drive driver drone dropdown drug duplicate
  duration duty dwelling earning ecosystem edge edit edition editor editorial education effect election
  element elevation elevator email embassy emergency emission emoji employee employer employment encounter
  encryption encumbrance endorsement endpoint engagement engine engineer enhancement enquirer enquiry
  enrollee enrollment enterprise entitlement entity entrance entrant entry enum envelope environment enzyme
  epic episode equation era error escalation escrow estate estimate ethnicity evaluation event exam
  examination examiner exception excerpt excess exchange exclusion execution executive exemption exercise
  exhibit exhibition exhibitor exit expansion expectation expenditure expense experience experiment expert
  expiration explanation export exporter exposition exposure expression extension extract eye fabric
  facilitator facility fact faction factor factory faculty failure family fan faq fare farm farmer farmland
  fatality fault favorite feature fee feed feeder fellowship fence festival fiction field fight fighter
  figure file filing filler film filter financing finding fine firewall firm fixture flag flashcard flavor
  fleet flight floor flow flower flyer folder follower food footer footnote forecast forest forfeiture fork
  form format formula forum forwarder foundation fraction fragment frame franchise franchisee freelancer
  frequency friend fruit fuel fulfillment function fund funnel gallery gallon game gamer gap garden
  garnishment gate gateway gender generation generator genome genre gesture gift glossary glove goal golfer
  good government governor grade grader graduate grandparent grant grantee grantor graph graphic grid
  grievance group guarantee guardian guest guide guideline guild habit habitat hacker handler handover
  harbor harvest hash hazard head header heading headline hearing heartbeat helper hero hierarchy highlight
  hint hire histogram hobby hold holding holiday home homeowner homepage hook hospital hospitalization host
  hostname hotel hotline hour house household hub hurdle husband hydrant hyperlink hypothesis icon idea
  identification identifier identity illness illustration image immunization impact implementation import
  importer impression improvement inbox incentive incident inclusion increase increment index indicator
  indictment individual industry infection influencer infraction ingredient initiative injection injury
  inmate inning innovation inpatient input inquiry insight inspection inspector installation installer
  installment instalment instance institution instruction instructor instrument insured insurer intake
  integration intent intention interaction interchange interest interface intermediary intern internship
  interruption intersection interval intervention interview invention inventor inverter investigation
  investigator investment investor invitation invite invoice island issue item iteration itinerary jersey
  job joint journal journey judge jurisdiction juror jury justification kernel key keyword kiosk kit kitchen
  lab label laboratory laborer lake landlord landmark language laptop launch law lawsuit lawyer layer layoff
  layout lead leader leaderboard leaflet league leak learner lease leasee leave lecture lecturer ledger
  legend legislature lender lessee lesson lessor letter level liability liaison library licence license
  licensee licensor lien lifecycle limit limitation line lineup link liquidation list listener listing loan
  lobby lobbyist local locale location locker lodge log logger login logo lookup loop lot lottery lounge
  machine macro magazine mailbox mailer mailing maintainer manager mandate manifest manual manufacturer map
  mapping margin mark marker market marketer marketplace marriage mask master match matchup material matrix
  matter maximum mayor meal measure measurement mechanic mechanism medal mediator medication medicine medium
  meeting member membership memo memorandum memory mention mentor mentorship menu merchant merge merger
  message meter method metric microservice migration milestone mine mineral minibar minimum minister
  ministry minor minute missile mission mistake mixture modality mode model moderator modification modifier
  module moment monitor month monument mortgage mortgagee motel motion motor motorcycle movement movie
  museum mutation name namespace napkin narrative nation native navigator neighbor neighborhood network
  newborn newsletter newspaper nickname node nomination nominee nonprofit norm notary notation note notebook
  notice notification notifier number nurse nutrient object objection objective obligation obligor
  observation obstacle occasion occupant occupation occurrence offence offender offense offer offering
  office officer offset omission opening opera operation operator opinion opponent opportunity optimization
  option orchestra order ordinance organisation organiser organism organization organizer orientation origin
  originator outage outbreak outcome outlet outlier outpatient output overdraft overhead overlay overpayment
  override overtime overview owner package packet pad paddle page paint painting pair pallet panel panelist
  paper parade paragraph parameter parcel parent park parliament part participant participation partition
  partner party pass passcode passenger passkey passport password pastry pasture patch path pathogen pathway
  patient patron pattern pause paycheck payee payer payload payment payor payout payroll payslip paystub
  peak peer pen penalty pension percentage percentile performance performer period permission permit
  permittee permutation person persona perspective pet petition petitioner pharmacist pharmacy phase
  phenotype phone photo photocopy photographer phrase physician picker pickup picture piece pill pilot pin
  pipeline pitcher pixel pizza place placement plaintiff plan planet planner plant planting plate platform
  play player playlist plea pledge plot plug plugin pocket podcast poem poet point pointer policy poll
  polygon pool population popup port portal portfolio portion position possession post postcard postcode
  poster posting pound practice practitioner precedent precinct precondition predecessor predicate
  prediction predictor prefecture preference prefix pregnancy premise premium preparation preregistration
  prerequisite prescriber prescription presentation presenter preset president press price pricebook primer
  principal print printer priority prison prisoner privilege prize probability probe problem procedure
  proceeding process processor procurement procurer producer product production profession professor profile
  profiler program programme progression project projector promise promo promoter promotion prompt property
  proportion proposal proposition prosecutor prospect prospectus protein protest protocol prototype provider
  province provision proxy pseudonym publication publisher pull pupil purchase purchaser purpose push puzzle
  qualification qualifier quality quantile quantity quarter query question questionnaire queue quiz quota
  quotation quote race racer raffle raid ranch range ranger ranking rate rating ratio reaction reactor
  reader reading readmission reagent reason rebate recall receipt receivable receiver reception receptor
  recharge recipe recipient recital recommendation reconciliation record recorder recording recovery recruit
  recruiter recurrence redemption redirect redirection reduction referee reference referendum referral
  referrer refill reflection refresh refugee refund refusal region register registrant registrar
  registration registry regression regulation regulator reimbursement reinsurer rejection relation
  relationship relative relay release religion remark remediation reminder remittance remortgage removal
  renewal renovation rent rental renter reorder repair repayment repeat replacement replica reply report
  reporter reporting repository representative reprint request requester requestor requirement requisition
  resale rescue researcher reseller reservation reset residence residency resident resignation resolution
  resort resource respondent responder response responsibility restart restaurant restock restriction result
  retailer retainer retention retirement retry return reversal review reviewer revision revocation reward
  rhythm ride rider right ring risk river road robot rocket role roll roller rollout rollup room root roster
  rotation round route router row royalty rubric rule rumor run runner runtime runway salary sale salesman
  salesperson sample sanction sandbox sandwich satellite sauce sausage saving scaffold scale scan scanner
  scarf scenario schedule schema scheme scholar scholarship school scientist scooter scope score scorecard
  scorer scout screen screening screenshot script sculpture search searcher season seat secret secretary
  section sector security segment selection seller semester seminar senate senator sender sensor sentence
  sentiment sequel sequence serial series server service session setback setting settlement setup sewer
  shape shard share shareholder sheet shelf shelter shift ship shipment shipper shipyard shirt shoe shop
  shopper shortage shortcut shortlist shot show showing showroom shutdown shuttle sibling sidecar sign
  signal signatory signature signee signer signoff signup simulation simulator singer site sitemap situation
  skater skill skin sku slice slide slider slogan slot slug smoker snapshot snippet society socket sofa
  solution solver song soundtrack source space spacecraft span speaker spec specialist specialty species
  specification spectator spectrum speech spice spill split spokesperson sponsor sponsorship spot spouse
  spreadsheet sprint stack stadium staffer stage stake stakeholder stamp standard standing standup star
  starter startup state statement station statistic status statute steak step sticker stock stockholder
  stockout stop store storefront story strain strand strategy streak stream streamer street strength strike
  string stripe structure stub student studio study style stylist subaccount subcategory subcontract
  subcontractor subdivision subdomain subfolder subgroup subitem subject submission submitter subnet subplan
  subproject subscriber subscription subsegment subset subsidiary subsidy substance substitute substitution
  subtask subtenant subtitle subtotal subtype suburb subvention successor suffix suggestion suite sum
  summary summit supermarket superuser supervisor supplement supplier supply surcharge surety surface
  surgeon surgery surname survey surveyor survivor suspect suspension swap sweater swimmer switch syllabus
  symbol symptom sync syndicate syndrome synonym system tab table tablespace tablet tactic tag takeaway
  takedown talk target tariff task tax taxon taxonomy taxpayer teacher team teammate technician technique
  technology telephone temperature template tenancy tenant tender term terminal territory test testament
  tester testimonial testing text textbook theater theme theory therapist therapy thing thread threat
  threshold thumbnail ticker ticket tier time timecard timeframe timeline timeout timer timesheet timeslot
  timestamp timetable timezone tip tire tissue title toast toggle token tolerance tool toolbox toolkit
  toolset tooltip topic topping torch touch touchpoint tour tourist tournament towel tower town toy trace
  track tracker tractor trade trademark trader tradition traffic_source trail trailer train trainee trainer
  training trait transaction transcript transfer transferee transformation transformer transfusion transit
  transition translation transmission transplant transport transporter travel traveler traveller treatment
  treaty tree trend trial tribe tribunal trick trigger trio trip trophy truck truckload trunk trustee tumor
  tuple turbine turn turnaround turnover tutee tutor tutorial tweet type typo underwriter union unit
  university unlock update updater upgrade upload uploader upstream url user usergroup username utility
  vacancy vacation vaccination vaccine validation validator valuation value valve van variable variant
  variation vector vegetable vehicle velocity vendor venture venue verdict verification verifier version
  vertex vessel veteran victim victory video view viewer village vineyard violation violator visa visit
  visitor vital vitamin vlan vocabulary voice voicemail voiceover voltage volume volunteer vote voter
  voucher voyage vulnerability wage waiter waitlist waiver wallet ward warehouse warning warrant warranty
  watch watcher watchlist waterfall watershed way waypoint weapon wearable webhook webinar website wedding
  week weekday weekend weight weighting wetland whitelist whitepaper wholesaler wicket widget window wine
  winner wire wish wishlist witness word work workbook worker workflow workgroup worklist workload workout
  workplace worksheet workshop workspace workstation wrapper writer year yield zip zipcode zone
`
  .trim()
  .split(/\s+/)
