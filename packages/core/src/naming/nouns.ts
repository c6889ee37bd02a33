// Things that tables hold a row of each of. Only these change their number: `oauth`, `news` and `daily` have
// none that a rule could find. Things of business, web, software, finance, people, places and care, by hand.

/** In the singular. */
export const COUNTABLE: readonly string[] = `
  absence abstract access_token account accessory achievement action activation activity actor ad addon
  address adjustment admin admission advance adult affiliate agency agenda agent agreement aircraft airline
  airport alarm album alert alias allergy allocation allowance amendment amount analysis analyst animal
  annotation announcement answer apartment api app appeal applicant application appointment approval
  approver area arrival article artifact artist aspect assessment asset assignee assignment assistant
  association attachment attempt attendee attribute auction audience audit author authorization badge
  bag balance ballot band bank banner barcode base basket batch bed benchmark benefit beneficiary bid bike
  bill birth block blog board boat body bond bonus book booking boundary box branch brand break breach
  breakdown brief broker browser bucket budget bug build building bundle bus business button buyer cabin
  calendar call caller camera campaign cancellation candidate capability car card career carrier cart case
  cashier catalog category cause cell center certificate chain challenge change changeset channel chapter
  character charge chart chat check checklist checkout checkpoint child choice church circle citation city
  claim class clause click client clinic clinician cluster coach code cohort collection collector college
  color column combination comment commission commit committee commodity community company comparison
  competitor complaint complication component concept condition conference configuration confirmation
  connection connector consent constraint consumer contact container contest context contract contractor
  contribution contributor controller conversation conversion cookie copy core corner cost counter
  counterparty country county coupon course courier court credential credit creditor crew crime criterion
  currency customer cycle dashboard database dataset date day deadline deal dealer debit debt debtor
  decision deduction defect definition degree delivery demand department departure dependency dependent
  deployment deposit descriptor design destination detail developer device diagnosis dialog dictionary
  diet difference dimension director directory disability discharge discount discussion disease dish
  dispatch dispute distributor district division doctor document dog dollar domain donation donor door
  dose draft drawer drink drive driver drug duplicate duty edge edition editor education effect election
  element elevator email emission employee employer employment encounter endpoint engagement engine
  engineer enquiry enrollment entity entry environment epic episode equation error escalation estimate
  event evaluation exam examination exception exchange exclusion execution exercise exhibit expense
  experience experiment expert expiration export exposure expression extension extract eye facility fact
  factor factory failure family fan fare farm farmer fault favorite feature fee feed fence field figure
  file filing film filter finding fine flag fleet flight flow folder follower food forecast forest form
  format formula forum foundation frame franchise friend fulfillment function fund funnel game gate gateway
  gender genre gift goal good government grade graduate grant graph group guarantee guardian guest guide
  habit handler hash head headline hearing heartbeat hero highlight hint hire holding holiday home hook
  hospital host hotel hour house household icon idea identifier identity illness image impact import
  impression inbox incident inclusion increment index indicator industry infection influencer ingredient
  injury input inquiry insight inspection instance institution instruction instructor instrument
  integration interaction interest interface interval intervention interview invention investigation
  investment investor invitation invite invoice island issue item iteration job journal journey judge kit
  key keyword label lab laboratory lake language layer layout lead leader league lease leave ledger legend
  lender lesson letter level liability library license licence limit line link list listener listing loan
  lobby local locale location locker log login lookup loop lot machine macro mailing manager manufacturer
  map mapping margin mark market match material matter meal measure measurement medication meeting member
  membership memo mention menu merchant merge message meter method metric migration milestone mine minister
  minute mission mode model moderator module moment month monument mortgage motion motor movement movie
  museum name namespace nation neighborhood network node note notebook notice notification number nurse
  object objective obligation observation occasion occupation offer offering office officer operation
  operator opinion opportunity option order ordinance organization origin outage outcome outlet output
  overtime owner package page pair panel paper parameter parcel parent park part participant participation
  partition partner party pass passenger passport password patch path patient pattern pause payer payment
  payout payslip penalty pension people percentage period permission permit person pet pharmacy phase
  phone photo photographer phrase physician picture piece pipeline place plan planet plant plate platform
  play player playlist plugin point policy poll pool port portal portfolio position post posting practice
  predicate prediction preference premium prescription prescriber preset press price pricebook principal
  priority prize problem procedure process processor producer product production profession professor
  profile program programme progression project promise promotion property proposal proposition prospect
  provider province provision publication publisher pull pupil purchase qualification quality quantity
  quarter query question queue quiz quota quote race ranking rate rating ratio reaction reading reason
  receipt receiver recipe recipient recommendation reconciliation record recording recruiter redirect
  reduction referee reference referral referrer refill refund region register registrant registration
  regulation relation relationship release relative reminder renewal rent rental repair repayment reply
  report reporter repository representative request requirement requisition reseller reservation resident
  resolution resource respondent response restaurant restriction result retailer return reversal review
  reviewer revision reward rider ride right ring risk river road role room root round route router row
  royalty rule run runner salary sale salesman sample sanction satellite scale scan scenario schedule
  schema scheme school scope score scorecard screen screening script search season seat section sector
  security segment selection seller sender sensor sequence series server service session setting settlement
  shape share shareholder sheet shelf shift ship shipment shipper shop shopper shortcut show shuttle sibling
  sign signal signature signup simulation site skill skin slide slot snapshot snippet society solution song
  source speaker species specialist specialty specification spec sponsor spot sprint stadium staffer stage
  stakeholder standard standing star state statement station statistic status step stock stop store story
  storefront strategy stream street string structure student study style subcategory subject submission
  subscriber subscription subsidiary substance suburb suggestion suite summary supervisor supplement
  supplier supply surgery survey suspect suspension symbol symptom syllabus system tab table tag talk target
  tariff task tax taxonomy teacher team technician technology template tenant term terminal territory test
  testimonial text theater theme theory thread threat threshold ticket tier timeline timesheet timeslot
  timezone title toggle token tool topic topping touchpoint tour tournament tower town toy trace track
  tracker trade trader trademark traffic_source trail trailer train trainer training transaction
  transcript transfer transformation transition translation transmission traveler traveller treatment tree
  trend trial trigger trip truck trunk trustee turn tutor tweet type unit university update upgrade upload
  url user username usergroup utility vaccine vaccination validation valuation value van variable variant
  variation vehicle vendor venue verdict version vessel video view viewer village violation visit visitor
  visa vital vocabulary voice volume volunteer vote voter voucher voyage wage waiver wallet ward warehouse
  warning warranty watch way webhook webinar website week weight widget winner wire wish wishlist witness
  word work workbook worker workflow workout workplace workshop workspace workstation worksheet writer year
  zip zone
`
  .trim()
  .split(/\s+/)
