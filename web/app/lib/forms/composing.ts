type Key = { nativeEvent: { isComposing: boolean; keyCode: number } };

/**
 * Whether a key is part of what an input method composes, such as the Enter that ends a word. Safari ends the composition before that key, and marks
 * the key by its code alone.
 */
export const isComposing = ({ nativeEvent }: Key) => nativeEvent.isComposing || nativeEvent.keyCode === 229;
