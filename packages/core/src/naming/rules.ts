// The words that naming rules look for. Source: the dbt Labs guide "How we style our dbt models"
// (docs.getdbt.com/best-practices/how-we-style/1-how-we-style-our-dbt-models), read narrowly: a rule stays
// where, on staging models of public dbt projects that it was not written from, it meets what their authors
// chose more often than it misses. `pnpm bench:names` counts both for every rule.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Names of a table's own key when it is not called after the table. */
export const OWN_ID_NAMES = words(`id _id`)

/** Words by which a boolean already reads as a statement, wherever they stand: `customer_is_guest`. */
export const STATEMENT_WORDS = words(`
  accepts allows are be can contains could did do does enables excludes exists had has have includes is
  may must needs requires should supports uses was were will would
`)

/**
 * Verbs of yes-and-no names: `skip_charges`, `merge_when_ready`. What they say is done, not what something
 * is, so that `is_` in front of them is wrong.
 */
export const VERBS = words(`
  accept add advance agree allow append apply applies approve archive ask assign attend authorize auto
  avoid ban begin block bypass calculate call cancel change charge check clear collect compare confirm
  contact copy count create deduct defer delete deliver deny depend detect disable disallow discard
  display does download email enable end enforce ensure exceed exclude execute expand expire export
  extend fail filter fix follow force forward generate get give grant group hide hold ignore import
  include increase index inherit insert install invite join keep limit link list load lock log login
  mail make manage mark match merge modify monitor move mute need notify omit opt override pause pay
  perform prevent print process prompt publish pull push raise read receive refresh refund register
  reject release remember remind remove renew reopen repeat replace reply report request require resend
  reset resolve restrict retain retry return review revoke round run save scan schedule search select
  sell send set share ship show sign skip sort split squash start stop store submit subscribe supply
  support suppress suspend sync tag take terminate track transfer trigger truncate try unlock unsubscribe
  update upload use validate verify view visit vote wait warn work write
`)

/** Verbs that are nouns too, and verbs where they open a name: `show_archived`. */
export const COMMANDS = words(`copy display list show`)

/** The words for states, besides those that end in `-ed`, `-able` and `-ible`. */
export const STATES = words(`
  absent abstract active adult alive anonymous automatic bankrupt built bought broken busy chosen clean
  closed complete confidential corrupt critical current dead default delinquent different digital direct dirty
  domestic done double driven dynamic eligible empty exclusive exempt external fast featured final
  first forgotten free frozen full given global gone guest headless hidden idle immutable inactive
  inbound incomplete indirect internal international invalid known kept last late latest live local
  lost made main mandatory manual married mature missing mutable mutual native new obsolete offline
  online open optional original outbound outstanding overdue paid partial pending permanent physical
  pinned premium present primary private provisional public ready recent recurring remote residential
  running secondary secure seen sensitive sent shown sold spent static stale successful taken temporary
  test trial true unique unpaid unread unsold unverified urgent valid verified virtual void voided
  withdrawn won working written wrong
`)

/** First words of a place or a condition: `on_sale`, `in_stock`, `under_review`. */
export const STATE_OPENINGS = words(`in not off on out under without`)

/** Words in `-ed` that are not states. */
export const NO_STATES = words(`bed breed exceed feed indeed need proceed reed seed shed speed succeed weed`)

/** Last words that only mark a column as a boolean. */
export const FLAG_WORDS = words(`flag flg ind indicator yn bool boolean`)

/** The verbs of events that happen by themselves, as column names have them: `expires` is `expires_at`. */
export const COMING_WORDS = words(`begins ends expires renews starts`)

/** Words that say that a column is a moment; they give way to `_at` where the user asks for it. */
export const TIME_WORDS = words(`at date datetime dt dtm dttm gmt on time timestamp ts tstamp utc when`)

/** Last words of dates that already say more than `_date` would. */
export const DATE_WORDS = words(`
  at birthday birthdate by date datetime day dob dod due end from gmt month on quarter since start time
  timestamp to until utc week year
`)

/** Ends of a span and lasting states, which have no past form. */
export const SPANS = words(`begin end since start until`)

/** Words for amounts in hundredths of a currency. */
export const CENT_WORDS = words(`cent cents pence pennies penny subunit subunits`)

/** Words for numbers that count time since 1970. */
export const EPOCH_WORDS = words(`epoch epochtime posix unix unixtime unixtimestamp`)

/** Last words that name a unit of time. */
export const UNIT_WORDS = words(`
  micro micros microsecond microseconds milli millis millisecond milliseconds ms msec msecs s sec second
  seconds secs usec usecs
`)

/** Words that lead to a unit: `amount_in_cents`. */
export const UNIT_OPENINGS = words(`as in`)
