/** Spring MVC: the servlet filters in two steps, and the answer to a denied call of a method. */
@NullMarked
package dev.weir.spring.internal.web.mvc;

import org.jspecify.annotations.NullMarked;
