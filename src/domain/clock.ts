/**
 * The time. What is kept in the database goes by the database's clock, which all instances share: `shiftMs` is how far
 * this service believes it to be ahead, which is not at all outside tests.
 */
export type Clock = { nowMs(): number; shiftMs(): number }
