const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Last words of columns that hold one of a few codes. */
export const LIST_WORDS = words(`
  category channel class classification condition direction frequency gender grade interval kind level method mode
  period phase plan priority rating result role severity sex side size stage state status step tier type unit visibility
`)

/** Last words of columns whose values change over time, however few there are today. */
export const OPEN_WORDS = words(`
  agent author bank borough brand browser campaign carrier city colour color comment company continent country county
  currency customer department description device district domain format group host icon image keyword label language
  locale location make manufacturer market message model name neighborhood note os owner path place platform product
  province reason region release state store subject supplier tag team term territory text theme timezone title town tz
  url value vendor version warehouse
  ciudad citta land ort pais paese stadt ville
`)

/** Last words of numbers that are never negative. */
export const MEASURE_WORDS = words(`
  age area attempt bonus byte capacity click cost count depth distance duration fee fare freight height impression
  inventory latency length minute mileage page price quantity qty rating salary score second seat session size speed
  stock ticket unit view visit volume wage weight width
`)

/** Words of amounts that may be negative. */
export const SIGNED_WORDS = words(`
  adjustment adjusted balance change credit debit delta difference diff discount gain loss net profit refund
  refunded return returned temperature variance
`)

/** Last words of numbers that are added up: they identify nothing, even together with other columns. */
export const AMOUNT_WORDS = words(`
  amount anzahl balance betrag cost count discount fee menge net price profit qty quantity revenue sum tax total turnover
  umsatz volume weight
`)

/** Last words of moments that are kept as numbers. */
export const MOMENT_WORDS = words(
  'at created date datetime epoch expires modified moment on time timestamp ts updated utc',
)

/** Words of shares: between 0 and 1, or between 0 and 100. */
export const SHARE_WORDS = words('pct percent percentage ratio share')

/** First words of columns that say when a row was made. */
export const MADE_WORDS = words('created inserted ordered registered posted logged received occurred')

/** First words of columns that say when a row was changed last. */
export const CHANGED_WORDS = words('changed modified refreshed synced updated')

/** Words of columns that say when a row came into the warehouse. */
export const LOADED_WORDS = words('extracted ingested load loaded replicated etl')

/** Words of planned or personal times: they do not show when data arrived. */
export const OTHER_MOMENTS = words(`
  birth birthday by cancel cancelled closed death due effective end ended expiration expire expires expiry hire hired
  renewal return ship shipped start started term terminated trial until valid
`)

/** Names of columns that mark deleted rows. */
export const DELETED_NAMES = words(`
  archived_at deleted deleted_at deleted_on deletion_date is_archived is_deleted is_removed removed_at soft_deleted
  date_deleted
`)
