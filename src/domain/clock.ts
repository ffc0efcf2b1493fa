/**
 * The current time. Times in the database follow its function `service_now()`, which all instances share. `shiftMs` is how
 * far tests have moved both ahead; 0 otherwise.
 */
export type Clock = { nowMs(): number; shiftMs(): number }
