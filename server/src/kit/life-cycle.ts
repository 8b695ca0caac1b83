/** The life of a row: for each state the ones that may follow it. */
export type LifeCycle<State extends string> = Readonly<Record<State, readonly State[]>>;

export const mayBecome = <State extends string>(life: LifeCycle<State>, from: State, to: State): boolean => life[from].includes(to);

/** The states that may be followed by this one, or by each of these. */
export const statesBefore = <State extends string>(life: LifeCycle<State>, ...to: readonly State[]): State[] =>
  (Object.keys(life) as State[]).filter((from) => to.every((state) => mayBecome(life, from, state)));
