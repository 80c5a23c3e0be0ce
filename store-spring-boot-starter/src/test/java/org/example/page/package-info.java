/** An application that shows the events of its store on a page. */
package org.example.page;
