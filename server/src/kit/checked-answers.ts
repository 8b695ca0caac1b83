import { isDeepStrictEqual } from 'node:util';
import { serializerCompiler } from 'fastify-type-provider-zod';

/** Refuses every answer that is not what its schema says, a field too many included, and else sends it as it is sent anywhere. For tests. */
export const checkingCompiler: typeof serializerCompiler = (route) => {
  const shown = serializerCompiler(route);
  return (answer) => {
    const json = JSON.stringify(answer);
    if (!isDeepStrictEqual(JSON.parse(shown(answer)), JSON.parse(json)))
      throw new Error(`${route.method} ${route.url} answers what its schema does not have`);
    return json;
  };
};
