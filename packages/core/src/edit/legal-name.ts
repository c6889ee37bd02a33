/** The limit on names if the warehouse sets none. */
export const LONGEST_NAME = 128

/** A name that needs no quotes in any warehouse. */
export const LEGAL_NAME = /^[a-z_][a-z0-9_]{0,127}$/
