/** Stands for a whole page until it is known what to show. */
export const LoadingView = () => (
  <div className="loading-view" role="status">
    <span className="spinner" aria-hidden="true" />
    <span className="visually-hidden">Loading content...</span>
  </div>
);
