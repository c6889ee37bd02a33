// The words that naming rules look for. Source: the dbt Labs guide "How we style our dbt models"
// (docs.getdbt.com/best-practices/how-we-style/1-how-we-style-our-dbt-models), and the column names of the
// staging models of public dbt projects.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Names of a table's own key when it is not called after the table. */
export const OWN_ID_NAMES = words(`id _id`)

/** First words by which a boolean already reads as a statement. */
export const STATEMENT_WORDS = words(`
  accepts allow allows are can contains could did do does enable enables exclude excludes exists had
  has have hide ignore include includes is may must needs need opted receives requires require send
  should show supports supported use uses was were will would
`)

/** Words that make a statement wherever they stand: `buyer_accepts_marketing`. */
export const VERBS = words(`accepts allows can has includes is requires was`)

/** Last words that only say that a column is a boolean. */
export const FLAG_WORDS = words(`flag flg ind indicator yn bool boolean`)

/** Words that only say that a column is a moment; they give way to `_at` or `_date`. */
export const TIME_WORDS = words(`at date datetime dt dtm dttm on time timestamp ts tstamp utc when`)

/** Last words of dates that already say more than `_date` would. */
export const DATE_WORDS = words(`date day birthday dob month quarter week year`)
