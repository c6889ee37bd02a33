/** A name that needs no quotes in any warehouse. */
export const LEGAL_NAME = /^[a-z_][a-z0-9_]*$/
