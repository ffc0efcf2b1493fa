/**
 * The current time. Times in the database follow the database's clock, which all instances share. `shiftMs` is how far
 * this service's clock is ahead of it in tests; 0 otherwise.
 */
export type Clock = { nowMs(): number; shiftMs(): number }
