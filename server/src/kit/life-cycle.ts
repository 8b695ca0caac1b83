/** The life of a row: for each state the ones that may follow it. */
export type LifeCycle<State extends string> = Readonly<Record<State, readonly State[]>>;

export const mayBecome = <State extends string>(life: LifeCycle<State>, from: State, to: State): boolean => life[from].includes(to);

/** The states that may be followed by this one. */
export const statesBefore = <State extends string>(life: LifeCycle<State>, to: State): State[] =>
  (Object.keys(life) as State[]).filter((from) => mayBecome(life, from, to));
