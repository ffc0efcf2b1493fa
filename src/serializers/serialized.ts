/**
 * The wire form of an object of the domain. It has all fields of the document, also the optional ones, and `Names` states
 * which of them each field of the domain is written to: a field of the domain without one does not compile.
 */
export type Serialized<Wire, Fields, Names extends Record<keyof Fields, keyof Wire>> = Required<Wire> &
  Pick<Required<Wire>, Names[keyof Fields]>
