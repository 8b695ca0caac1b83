/** The allowed transitions of a row: for each state, its next states. */
export type LifeCycle<State extends string> = Readonly<Record<State, readonly State[]>>;

export const canTransition = <State extends string>(life: LifeCycle<State>, from: State, to: State): boolean => life[from].includes(to);

/** The states that have a transition to each of the given ones. */
export const listStatesBefore = <State extends string>(life: LifeCycle<State>, ...to: readonly State[]): State[] =>
  (Object.keys(life) as State[]).filter((from) => to.every((state) => canTransition(life, from, state)));
