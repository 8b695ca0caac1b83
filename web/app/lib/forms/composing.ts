type Key = { nativeEvent: { isComposing: boolean; keyCode: number } };

/** Whether a key belongs to an input method's composition, such as the Enter that ends a word. Safari marks that key by its code alone. */
export const isComposing = ({ nativeEvent }: Key) => nativeEvent.isComposing || nativeEvent.keyCode === 229;
